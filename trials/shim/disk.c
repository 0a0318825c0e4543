/* A disk that can be cut off: preloaded into the server, it stands between it and the
 * files whose path begins with LUSORIA_DISK_FILES.
 *
 * Every change of such a file is noted before it is made, with what was there before, in
 * a log of its own under LUSORIA_DISK_LOGS; a sync of the file empties that log. Files
 * that are made or removed are noted in the log "entries", which a sync of the folder
 * empties. When the process has been killed, what the logs hold is what a power cut could
 * have lost: the trials take it back, or a part of it.
 *
 * What the files in LUSORIA_DISK_LOGS with these names say holds from then on:
 *   full  no more than so many bytes (a decimal number) can be added to the files
 *   eio   the next sync of the write-ahead log (-wal) fails
 * LUSORIA_DISK_SYNC_US: how long a sync takes, in microseconds, so that there are instants
 * at which something is not synced.
 * LUSORIA_DISK_LIES: a sync of a file whose name ends with this does nothing and says
 * that it did ("" is the end of every name).
 *
 * The index of SQLite's log (-shm) and the lock file are left alone: nothing is expected
 * of them after a power cut.
 *
 * A record of a log: the kind, a letter; offset, length, length of the file before it,
 * length of the old bytes, each eight bytes, lowest first; the old bytes; and for a write
 * the new ones. A record of "entries": the kind, C for made or U for removed; the length of
 * the name in one byte; the name within the folder; for U the number under which the file
 * was kept, eight bytes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define FILES_MAX 64
#define FDS_MAX 65536
#define FOLDER (-2)
#define NOT_OURS (-1)
#define EXIT_OF_DISK 70

/* What is known of a file: its name within the folder, and the log of its changes. */
struct file {
    char name[256];
    int log;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file files[FILES_MAX];
static int files_len;
static short of_fd[FDS_MAX]; /* index in files + 1, or FOLDER; 0 is not ours */
static char prefix[PATH_MAX], folder[PATH_MAX], logs[PATH_MAX];
static const char *lies;
static int entries = -1;
static uint64_t removed, added_while_full;
static long sync_us;
static int active;

#define REAL(name) \
    static __typeof__(name) *real_##name; \
    static __typeof__(name) *get_##name(void) { \
        if (!real_##name) real_##name = (__typeof__(name) *)dlsym(RTLD_NEXT, #name); \
        return real_##name; \
    }
REAL(open) REAL(open64) REAL(openat) REAL(openat64) REAL(close) REAL(write) REAL(writev)
REAL(pwrite64) REAL(ftruncate64) REAL(fsync) REAL(fdatasync) REAL(unlink)

static void die(const char *why) {
    char line[256];
    int length = snprintf(line, sizeof line, "disk: %s\n", why);
    syscall(SYS_write, 2, line, length);
    /* Not abort: that is how a server ends that cannot sync. */
    _exit(EXIT_OF_DISK);
}

static int in_logs(const char *name, char *path) {
    return snprintf(path, PATH_MAX, "%s/%s", logs, name) < PATH_MAX;
}

static void append(int log, const void *bytes, size_t length) {
    const char *at = bytes;
    while (length > 0) {
        ssize_t done = syscall(SYS_write, log, at, length);
        if (done <= 0) die("a log cannot be written");
        at += done;
        length -= (size_t)done;
    }
}

__attribute__((constructor)) static void begin(void) {
    const char *where = getenv("LUSORIA_DISK_FILES"), *to = getenv("LUSORIA_DISK_LOGS");
    if (!where || !to) return;
    lies = getenv("LUSORIA_DISK_LIES");
    const char *slow = getenv("LUSORIA_DISK_SYNC_US");
    sync_us = slow ? atol(slow) : 0;
    snprintf(prefix, sizeof prefix, "%s", where);
    snprintf(folder, sizeof folder, "%s", where);
    snprintf(logs, sizeof logs, "%s", to);
    char *slash = strrchr(folder, '/');
    if (!slash) die("LUSORIA_DISK_FILES is no whole path");
    *slash = 0;
    char path[PATH_MAX];
    if (!in_logs("entries", path)) die("LUSORIA_DISK_LOGS is too long");
    entries = (int)syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    if (entries < 0) die("LUSORIA_DISK_LOGS cannot be written");
    active = 1;
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* The name within the folder, if it is one of the files that are watched. */
static const char *watched(const char *path) {
    if (!active || strncmp(path, prefix, strlen(prefix)) != 0) return NULL;
    if (ends_with(path, "-shm") || ends_with(path, "-lock")) return NULL;
    return path + strlen(folder) + 1;
}

static int find(const char *name) {
    for (int i = 0; i < files_len; i++)
        if (strcmp(files[i].name, name) == 0) return i;
    if (files_len == FILES_MAX) die("too many files");
    snprintf(files[files_len].name, sizeof files[0].name, "%s", name);
    char path[PATH_MAX], log_name[300];
    snprintf(log_name, sizeof log_name, "%s.log", name);
    if (!in_logs(log_name, path)) die("a name is too long");
    files[files_len].log =
        (int)syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
    if (files[files_len].log < 0) die("a log cannot be made");
    return files_len++;
}

static void note_entry(char kind, const char *name, uint64_t number) {
    unsigned char head[2] = {(unsigned char)kind, (unsigned char)strlen(name)};
    append(entries, head, 2);
    append(entries, name, head[1]);
    if (kind == 'U') append(entries, &number, 8);
}

static int opened(int fd, const char *path, int flags, int was_there) {
    if (fd < 0 || !active || fd >= FDS_MAX) return fd;
    const char *name = watched(path);
    if (name) {
        of_fd[fd] = (short)(find(name) + 1);
        if (!was_there) note_entry('C', name, 0);
        else if (flags & O_TRUNC) die("a file is emptied as it is opened");
    } else if (strcmp(path, folder) == 0) {
        of_fd[fd] = FOLDER;
    }
    return fd;
}

static int of(int fd) {
    if (!active || fd < 0 || fd >= FDS_MAX || of_fd[fd] <= 0) return NOT_OURS;
    return of_fd[fd] - 1;
}

static int is_there(const char *path) {
    struct stat found;
    return stat(path, &found) == 0;
}

#define OPEN(name, call) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | __O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    } \
    if (!active || (!watched(path) && strcmp(path, folder) != 0)) return call; \
    pthread_mutex_lock(&lock); \
    int was_there = is_there(path); \
    int fd = opened(call, path, flags, was_there); \
    pthread_mutex_unlock(&lock); \
    return fd;

int open(const char *path, int flags, ...) { OPEN(open, get_open()(path, flags, mode)) }
int open64(const char *path, int flags, ...) { OPEN(open64, get_open64()(path, flags, mode)) }
int openat(int at, const char *path, int flags, ...) { OPEN(openat, get_openat()(at, path, flags, mode)) }
int openat64(int at, const char *path, int flags, ...) {
    OPEN(openat64, get_openat64()(at, path, flags, mode))
}

int close(int fd) {
    if (active && fd >= 0 && fd < FDS_MAX && of_fd[fd] != 0) {
        pthread_mutex_lock(&lock);
        of_fd[fd] = 0;
        pthread_mutex_unlock(&lock);
    }
    return get_close()(fd);
}

static uint64_t length_of(int fd) {
    struct stat found;
    if (fstat(fd, &found) != 0) die("a file has no length");
    return (uint64_t)found.st_size;
}

/* Notes a change of `length` bytes at `offset`; `new` is none for a change of the length. */
static void note(int file, int fd, char kind, uint64_t offset, uint64_t length, const void *new) {
    uint64_t before = length_of(fd);
    uint64_t until = kind == 'T' ? before : offset + length;
    if (until > before) until = before;
    uint64_t old = offset < until ? until - offset : 0;
    uint64_t head[4] = {offset, length, before, old};
    size_t size = 1 + sizeof head + old + (new ? length : 0);
    char *record = malloc(size);
    if (!record) die("no memory");
    record[0] = kind;
    memcpy(record + 1, head, sizeof head);
    char *bytes = record + 1 + sizeof head;
    uint64_t read = 0;
    while (read < old) {
        ssize_t done = syscall(SYS_pread64, fd, bytes + read, old - read, offset + read);
        if (done <= 0) die("what is overwritten cannot be read");
        read += (uint64_t)done;
    }
    if (new) memcpy(bytes + old, new, length);
    append(files[file].log, record, size);
    free(record);
}

/* How many of `length` bytes at `offset` there is room for. */
static uint64_t room(int fd, uint64_t offset, uint64_t length) {
    char path[PATH_MAX], text[32];
    if (!in_logs("full", path)) return length;
    int full = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (full < 0) {
        added_while_full = 0;
        return length;
    }
    ssize_t read = syscall(SYS_read, full, text, sizeof text - 1);
    syscall(SYS_close, full);
    text[read > 0 ? read : 0] = 0;
    uint64_t most = strtoull(text, NULL, 10), before = length_of(fd);
    uint64_t adds = offset + length > before ? offset + length - before : 0;
    uint64_t left = most > added_while_full ? most - added_while_full : 0;
    uint64_t too_many = adds > left ? adds - left : 0;
    if (too_many > length) too_many = length;
    added_while_full += adds - (adds < too_many ? adds : too_many);
    return length - too_many;
}

static ssize_t write_at(int file, int fd, const void *bytes, size_t length, off_t offset) {
    pthread_mutex_lock(&lock);
    uint64_t fits = room(fd, (uint64_t)offset, length);
    ssize_t done = -1;
    if (fits == 0 && length > 0) {
        errno = ENOSPC;
    } else {
        note(file, fd, 'W', (uint64_t)offset, fits, bytes);
        done = get_pwrite64()(fd, bytes, fits, offset);
    }
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) {
    int file = of(fd);
    return file == NOT_OURS ? get_pwrite64()(fd, bytes, length, offset)
                            : write_at(file, fd, bytes, length, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
    return pwrite64(fd, bytes, length, offset);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    int file = of(fd);
    if (file == NOT_OURS) return get_write()(fd, bytes, length);
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t done = write_at(file, fd, bytes, length, at);
    if (done > 0) lseek(fd, done, SEEK_CUR);
    return done;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (of(fd) != NOT_OURS) die("writev is not known here");
    return get_writev()(fd, parts, count);
}

int ftruncate64(int fd, off_t length) {
    int file = of(fd);
    if (file == NOT_OURS) return get_ftruncate64()(fd, length);
    pthread_mutex_lock(&lock);
    note(file, fd, 'T', (uint64_t)length, 0, NULL);
    int done = get_ftruncate64()(fd, length);
    pthread_mutex_unlock(&lock);
    return done;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

/* Whether this sync is to fail; once. */
static int fails(void) {
    char path[PATH_MAX];
    return in_logs("eio", path) && syscall(SYS_unlinkat, AT_FDCWD, path, 0) == 0;
}

static int sync_of(int fd) {
    pthread_mutex_lock(&lock);
    int is_folder = of_fd[fd] == FOLDER, done = 0;
    struct timespec takes = {sync_us / 1000000, sync_us % 1000000 * 1000};
    nanosleep(&takes, NULL);
    const char *name = is_folder ? "" : files[of_fd[fd] - 1].name;
    if (ends_with(name, "-wal") && fails()) {
        errno = EIO;
        done = -1;
    } else if (!(lies && ends_with(name, lies))) {
        if (ftruncate64(is_folder ? entries : files[of_fd[fd] - 1].log, 0) != 0) die("a log cannot be emptied");
    }
    pthread_mutex_unlock(&lock);
    return done;
}

int fsync(int fd) {
    int ours = active && fd >= 0 && fd < FDS_MAX && of_fd[fd] != 0;
    return ours ? sync_of(fd) : get_fsync()(fd);
}

int fdatasync(int fd) {
    int ours = active && fd >= 0 && fd < FDS_MAX && of_fd[fd] != 0;
    return ours ? sync_of(fd) : get_fdatasync()(fd);
}

static int move(const char *from, const char *to) {
    return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

/* The file is kept with its log, so that it can come back. */
int unlink(const char *path) {
    const char *name = watched(path);
    if (!name || !is_there(path)) return get_unlink()(path);
    pthread_mutex_lock(&lock);
    int file = find(name);
    char kept[PATH_MAX], kept_log[PATH_MAX], log[PATH_MAX], text[300];
    uint64_t number = ++removed;
    snprintf(text, sizeof text, "removed.%llu", (unsigned long long)number);
    int fits = in_logs(text, kept);
    snprintf(text, sizeof text, "removed.%llu.log", (unsigned long long)number);
    fits = fits && in_logs(text, kept_log);
    snprintf(text, sizeof text, "%s.log", name);
    if (!fits || !in_logs(text, log)) die("a name is too long");
    note_entry('U', name, number);
    if (move(path, kept) != 0 || move(log, kept_log) != 0) die("a removed file cannot be kept");
    /* A new file of that name gets another number and another log; a process that has
     * the old file open keeps it. */
    files[file].name[0] = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int rename(const char *from, const char *to) {
    if (watched(from) || watched(to)) die("rename is not known here");
    return move(from, to);
}
