"""Reads paths, and prints the exit code with which verify.py ends on each."""

import contextlib, io, sys
sys.path.insert(0, sys.argv[1])
import verify
for path in sys.stdin.read().splitlines():
    sys.argv, code = ['verify.py', path], 0
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            verify.main()
        except SystemExit as end:
            code = end.code or 0
        except Exception:
            code = 2
    print(code)
