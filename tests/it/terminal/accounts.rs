//! `lusoria play register`, `login` and the other commands about accounts.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use lusoria_terminal::{AccountAction, AccountError, AccountOptions, Answers, Profile, run_account};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::block_in_place,
};

use super::{
    command::{play, said},
    listens, origin,
    place::Place,
    proxy::Proxy,
    walk, word_after,
};

const PASSWORD: &str = "three rolls of the dice";
const OTHER_PASSWORD: &str = "four rolls of the dice";

/// A command about the account Agathias, with these lines of secrets.
fn account(at: &str, folder: &Path, command: &str, secrets: &[&str]) -> Output {
    let arguments = [command, at, "--handle", "Agathias", "--password-stdin"];
    play(folder, &arguments, &secrets.join("\n"))
}

fn succeeds(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    said(output)
}

/// It was refused in these words.
fn refused(output: &Output, code: i32, words: &str) {
    assert_eq!(output.status.code(), Some(code), "{}", said(output));
    assert!(said(output).contains(words), "{words} is missing in:\n{}", said(output));
}

/// The recovery codes that are printed.
fn codes(printed: &str) -> Vec<String> {
    let lines = printed.lines().filter_map(|line| line.strip_prefix("  "));
    lines.map(str::to_owned).collect()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_opens_an_account_and_plays_on_elsewhere() {
    let (place, elsewhere) = (Place::new().await, folder());
    let (at, here, elsewhere) = (place.origin(), place.folder(), elsewhere.path());
    let made = play(here, &[&at, "--name", "Zeno", "--create", "tablut", "--invite"], "quit\n");
    let id = word_after(&succeeds(&made), "Tablut, match ");
    let before = succeeds(&play(here, &["whoami", &at], ""));
    assert!(before.contains("Zeno (") && before.contains("without an account"), "{before}");

    let registered = succeeds(&account(&at, here, "register", &[PASSWORD]));
    assert_eq!(codes(&registered).len(), 8, "{registered}");
    let after = succeeds(&play(here, &["whoami", &at], ""));
    assert!(after.contains("account Agathias, 8 recovery codes left"), "{after}");
    assert_eq!(after.lines().next(), before.lines().next());
    refused(&account(&at, here, "register", &[PASSWORD]), 1, "you have an account already: Agathias");

    refused(&account(&at, elsewhere, "login", &[OTHER_PASSWORD]), 1, "is wrong");
    assert!(walk(elsewhere).is_empty(), "nothing is kept");
    // Somebody else has played there.
    let other = succeeds(&play(elsewhere, &[&at, "--name", "Quintus"], "me\nquit\n"));
    assert!(other.contains("You are Quintus (") && other.contains("without an account"), "{other}");
    let signed_in = succeeds(&account(&at, elsewhere, "login", &[PASSWORD]));
    assert!(signed_in.contains("You are Zeno ("), "{signed_in}");
    assert!(signed_in.contains("--as guest-1"), "{signed_in}");
    let mine = succeeds(&play(elsewhere, &[&at], "me\nmine\nquit\n"));
    assert!(mine.contains("with the account Agathias") && mine.contains(&id), "{id} is missing in:\n{mine}");
    let aside = succeeds(&play(elsewhere, &["whoami", &at, "--as", "guest-1"], ""));
    assert!(aside.starts_with("Quintus ("), "{aside}");

    // Quintus was the same person, too.
    let adopted = succeeds(&play(elsewhere, &["adopt", &at, "--other", "guest-1"], ""));
    assert!(adopted.contains("are yours: 0"), "{adopted}");
    refused(&play(elsewhere, &["whoami", &at, "--as", "guest-1"], ""), 1, "nobody is signed in");
    refused(&play(elsewhere, &["adopt", &at, "--other", "guest-1"], ""), 1, "there is no guest for");

    // The same person once more: nobody has to make room.
    let again = succeeds(&account(&at, elsewhere, "login", &[PASSWORD]));
    assert!(!again.contains("--as"), "{again}");
    assert_eq!(walk(&elsewhere.join("lusoria/guests")).len(), 1);

    succeeds(&play(elsewhere, &["logout", &at, "--everywhere"], ""));
    refused(&play(elsewhere, &["whoami", &at], ""), 1, "nobody is signed in");
    refused(&play(here, &["whoami", &at], ""), 1, "this device has been signed out");
    refused(&play(here, &[&at], "quit\n"), 1, "lusoria play login");
    succeeds(&account(&at, here, "login", &[PASSWORD]));
    let back = succeeds(&play(here, &["whoami", &at], ""));
    assert_eq!(back.lines().next(), before.lines().next());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_kept_where_its_owner_alone_can_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let (place, here) = (Place::new().await, folder());
    let (at, here) = (place.origin(), here.path());
    let printed = succeeds(&account(&at, here, "register", &[PASSWORD]));
    let guests = here.join("lusoria/guests");
    let files = walk(&guests);
    let [file] = &files[..] else { panic!("one file: {files:?}") };
    let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!((mode(&guests), mode(file)), (0o700, 0o600));
    let kept = fs::read_to_string(file).expect("it is there");
    let guest: serde_json::Value = serde_json::from_str(&kept).expect("JSON");
    let token = guest["token"].as_str().expect("a token");
    assert!(!printed.contains(token) && !kept.contains(PASSWORD));
    fs::set_permissions(file, fs::Permissions::from_mode(0o644)).expect("it is ours");
    for arguments in [&["whoami", &at][..], &["logout", &at], &[&at]] {
        refused(&play(here, arguments, "quit\n"), 2, "others may read this file (mode 644)");
    }
    assert_eq!(fs::read_to_string(file).expect("it is there"), kept);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_without_an_account_is_not_lost_by_signing_out() {
    let (place, here) = (Place::new().await, folder());
    let (at, here) = (place.origin(), here.path());
    refused(&play(here, &["logout", &at], ""), 1, "nobody is signed in");
    succeeds(&play(here, &[&at, "--name", "Zeno"], "quit\n"));
    refused(&play(here, &["logout", &at], ""), 1, "you have no account");
    let who = succeeds(&play(here, &["whoami", &at], ""));
    assert!(who.starts_with("Zeno ("), "{who}");
    refused(
        &play(here, &["password", &at, "--password-stdin"], &format!("{PASSWORD}\n{PASSWORD}")),
        1,
        "you have no account",
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_password_is_replaced_with_a_code() {
    let (place, here, elsewhere) = (Place::new().await, folder(), folder());
    let (at, here, elsewhere) = (place.origin(), here.path(), elsewhere.path());
    let lost = codes(&succeeds(&account(&at, here, "register", &[PASSWORD])));
    let replaced = play(here, &["codes", &at, "--password-stdin"], PASSWORD);
    let codes = codes(&succeeds(&replaced));
    assert_eq!(codes.len(), 8);
    refused(&account(&at, elsewhere, "recover", &[&lost[0], OTHER_PASSWORD]), 1, "is wrong");
    let written = codes[3].to_lowercase().replace('-', "");
    let recovered = succeeds(&account(&at, elsewhere, "recover", &[&written, OTHER_PASSWORD]));
    assert!(recovered.contains("Recovery codes left: 7"), "{recovered}");
    refused(&account(&at, elsewhere, "recover", &[&codes[3], PASSWORD]), 1, "is wrong");
    refused(&play(here, &["whoami", &at], ""), 1, "this device has been signed out");
    refused(&account(&at, here, "login", &[PASSWORD]), 1, "is wrong");
    succeeds(&account(&at, here, "login", &[OTHER_PASSWORD]));
    let changed =
        play(here, &["password", &at, "--password-stdin"], &format!("{OTHER_PASSWORD}\n{PASSWORD}\n"));
    succeeds(&changed);
    refused(&play(elsewhere, &["whoami", &at], ""), 1, "this device has been signed out");
    succeeds(&play(here, &["whoami", &at], ""));
    succeeds(&account(&at, elsewhere, "login", &[PASSWORD]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_an_account_is_refused_in_plain_words() {
    let (place, here) = (Place::new().await, folder());
    let (at, here) = (place.origin(), here.path());
    succeeds(&account(&at, here, "register", &[PASSWORD]));
    let register = |handle: &str, secrets: &str| {
        let other = folder();
        play(other.path(), &["register", &at, "--handle", handle, "--password-stdin"], secrets)
    };
    refused(&register("agathlas", PASSWORD), 1, "this handle is taken, or looks like one that is taken");
    refused(&register("admin", PASSWORD), 1, "this handle is reserved");
    refused(&register("Zeno", "seven 7"), 2, "a password has 8 to 256 characters");
    refused(&register("Zeno", ""), 2, "standard input ends before the new password");
    refused(&register("Zé", PASSWORD), 2, "a handle has 3 to 20 letters");
    let unnamed = play(folder().path(), &["login", &at, "--password-stdin"], PASSWORD);
    refused(&unnamed, 2, "name the account with --handle");
    let nobody = play(folder().path(), &["login", &at, "--handle", "Zeno"], PASSWORD);
    refused(&nobody, 2, "there is no terminal to type the password at");
    for _ in 0..6 {
        account(&at, folder().path(), "login", &[OTHER_PASSWORD]);
    }
    refused(&account(&at, folder().path(), "login", &[PASSWORD]), 1, "try again in ");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_by_invitation_takes_the_operators_code() {
    let (place, here) = (Place::new().await, folder());
    let (at, here) = (place.origin(), here.path());
    let database = place.database();
    let admin = |arguments: &[&str]| {
        let mut admin = Command::new(env!("CARGO_BIN_EXE_lusoria"));
        let done = admin.arg("admin").args(arguments).arg("--database").arg(&database).output();
        let done = done.expect("the binary runs");
        succeeds(&done);
        String::from_utf8(done.stdout).expect("a text")
    };
    let register = |more: &[&str]| {
        let arguments = ["register", &at, "--handle", "Agathias", "--password-stdin"];
        play(here, &[&arguments, more].concat(), PASSWORD)
    };
    block_in_place(|| admin(&["sign-ups", "closed"]));
    refused(&register(&[]), 1, "this server does not open accounts now");
    block_in_place(|| admin(&["sign-ups", "invite-only"]));
    refused(&register(&[]), 1, "use --sign-up-code");
    refused(&register(&["--sign-up-code", "0000"]), 1, "this sign-up code is not valid");
    let printed = block_in_place(|| admin(&["sign-up-codes"]));
    let code = printed.lines().last().expect("a code");
    succeeds(&register(&["--sign-up-code", code]));
}

#[tokio::test]
async fn the_recovery_codes_are_not_lost_with_the_answer() {
    let (place, here) = (Place::new().await, folder());
    let proxy = Proxy::to(place.address()).await;
    proxy.deafen_at(r#""handle":"Agathias""#);
    let at = proxy.origin().parse().expect("an origin");
    let profile = Profile::within(here.path(), &at, None).expect("a folder");
    let act = async |action, secrets: &'static str, out: &mut Vec<u8>| {
        let answers = Answers::Secrets(Box::new(secrets.as_bytes()));
        let (origin, profile) = (at.clone(), profile.clone());
        run_account(action, AccountOptions { origin, profile, answers, over_http: false }, out).await
    };
    let (mut out, handle) = (Vec::new(), "Agathias".parse().ok());
    let register = AccountAction::Register { handle: handle.clone(), sign_up_code: None };
    act(register, PASSWORD, &mut out).await.expect("an account");
    let printed = String::from_utf8(out).expect("a text");
    let codes = codes(&printed);
    assert_eq!(codes.len(), 8, "{printed}");
    // These are good.
    let secrets = format!("{}\n{OTHER_PASSWORD}", codes[0]).leak();
    proxy.mend(place.address());
    act(AccountAction::Recover(handle), secrets, &mut Vec::new()).await.expect("a good code");

    proxy.cut();
    let cut = act(AccountAction::LogOut { everywhere: false }, "", &mut Vec::new()).await;
    assert!(matches!(&cut, Err(AccountError::Refused(why)) if why.contains("no connection")), "{cut:?}");
    proxy.mend(place.address());
    act(AccountAction::WhoAmI, "", &mut Vec::new()).await.expect("the token is kept and good");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_goes_to_its_own_server_alone() {
    let here = folder();
    for arguments in [
        &["login", "http://games.example", "--handle", "Zeno", "--password-stdin"][..],
        &["codes", "http://127.0.0.1.games.example:8080", "--password-stdin"],
        &["register", "http://[::2]:8080", "--handle", "Zeno", "--password-stdin"],
    ] {
        refused(&play(here.path(), arguments, PASSWORD), 2, "does not use TLS");
    }
    let was_asked = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&was_asked);
    let other = listens(move |_| {
        asked.store(true, Ordering::SeqCst);
        async {}
    })
    .await;
    let sends_on = listens(move |client| redirects(client, origin(other))).await;
    let signed_in = account(&origin(sends_on), here.path(), "login", &[PASSWORD]);
    refused(&signed_in, 1, "the server answers with status 307");
    assert!(!was_asked.load(Ordering::SeqCst), "it follows nobody");
    assert!(walk(here.path()).is_empty(), "nothing is kept");
}

async fn redirects(client: TcpStream, to: String) {
    let head = format!("HTTP/1.1 307 Temporary Redirect\r\nlocation: {to}/api/v1/sign-in\r\n");
    answers(client, &format!("{head}content-length: 0\r\n\r\n")).await;
}

async fn answers(mut client: TcpStream, answer: &str) {
    let mut asked = vec![0; 16 * 1024];
    if client.read(&mut asked).await.is_ok() {
        // The client may have gone.
        let _ = client.write_all(answer.as_bytes()).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_refusal_steers_the_terminal() {
    let at = listens(|client| async {
        let problem = serde_json::json!({"type": "/problems/odd", "title": "Odd", "status": 403,
            "code": "odd", "detail": "\u{1b}[2J".to_owned() + &"x".repeat(10_000)});
        let (body, head) = (problem.to_string(), "HTTP/1.1 403 Forbidden\r\ncontent-length:");
        answers(client, &format!("{head} {}\r\n\r\n{body}", body.len())).await;
    })
    .await;
    let refusal = account(&origin(at), folder().path(), "login", &[PASSWORD]);
    refused(&refusal, 1, "\\u{1b}[2J");
    let said = said(&refusal);
    assert!(!said.contains('\u{1b}') && said.len() < 500, "{said}");
}
