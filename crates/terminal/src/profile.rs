//! The user's files on this machine: their guest at each server, and the data for checking the dice of a
//! match afterwards.

use std::{
    env,
    fmt::Display,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use lusoria_protocol::{Guest, GuestId, Hash, MatchId, PlayerSeed, Token};
use rand::{TryRng, rngs::SysRng};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use lusoria_client::Origin;

/// The longest file that is read, in bytes. This program writes less than a thousand.
const BYTES_MAX: u64 = 16 * 1024;

/// The places of the user's files.
#[derive(Debug, Clone)]
pub struct Profile {
    folder: PathBuf,
    guest: PathBuf,
    called: Called,
}

/// How the file of a guest is named.
#[derive(Debug, Clone)]
enum Called {
    /// By the server, and by a name if the user has several guests there.
    Named { server: String, name: Option<String> },
    /// By its path.
    File,
}

/// A guest of a server.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct StoredGuest {
    /// The server.
    pub(super) server: String,
    /// The guest.
    pub(super) id: GuestId,
    /// Their token.
    pub(super) token: Token,
}

/// The data for checking the dice of a match: both are known before the first throw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredDice {
    /// `s[0]`, as the server first sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) commitment: Option<Hash>,
    /// The user's own seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seed: Option<PlayerSeed>,
}

/// A file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// There is no folder for it.
    #[error("no folder to keep your identity in: set XDG_CONFIG_HOME or HOME, or use --guest FILE")]
    NoFolder,
    /// The system refuses access.
    #[error("{path}: {why}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// Its content was not written by this program.
    #[error("{path}: this is not a file of lusoria play: {why}", path = .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The fault, and its place.
        why: String,
    },
    /// It contains a guest of another server.
    #[error("{path}: this guest is one of {server}", path = .path.display())]
    OtherServer {
        /// The file.
        path: PathBuf,
        /// The server in it.
        server: String,
    },
    /// Others may read the token in it. Like ssh with a key, this program does not use it.
    #[error(
        "{path}: others may read this file (mode {mode:03o}), and play as you with the token in it: \
         make it yours alone with \"chmod 600\"",
        path = .path.display()
    )]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// A name for `--as` that cannot be the name of a file.
    #[error("a name after --as has 1 to 32 letters, digits, \"-\" and \"_\"")]
    Name,
}

impl Profile {
    /// The user's configuration folder, with the guest of that server; `called` distinguishes several guests
    /// of one person.
    ///
    /// # Errors
    /// If the environment names no folder, or the name is not a valid file name.
    pub fn of_person(origin: &Origin, called: Option<&str>) -> Result<Self, ProfileError> {
        Self::within(&config_folder().ok_or(ProfileError::NoFolder)?, origin, called)
    }

    /// The same in another folder.
    ///
    /// # Errors
    /// If the name is not a valid file name.
    pub fn within(folder: &Path, origin: &Origin, called: Option<&str>) -> Result<Self, ProfileError> {
        let is_name = |name: &str| {
            (1..=32).contains(&name.len())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        if called.is_some_and(|name| !is_name(name)) {
            return Err(ProfileError::Name);
        }
        let plain = |letter: char| {
            if letter.is_ascii_alphanumeric() || ".-".contains(letter) { letter } else { '_' }
        };
        let server: String = origin.to_string().replace("://", "_").chars().map(plain).collect();
        let guest = folder.join("guests").join(guest_file_name(&server, called));
        let called = Called::Named { server, name: called.map(str::to_owned) };
        Ok(Self { folder: folder.to_owned(), guest, called })
    }

    /// The guest in that file; the files of their matches are beside it.
    pub fn at(guest: &Path) -> Self {
        let folder = guest.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).join("lusoria");
        Self { folder, guest: guest.to_owned(), called: Called::File }
    }

    /// The file of the guest.
    pub fn guest_file(&self) -> &Path {
        &self.guest
    }

    /// Reads the guest, if there is one.
    pub(super) fn guest(&self, origin: &Origin) -> Result<Option<StoredGuest>, ProfileError> {
        let Some(kept) = read::<StoredGuest>(&self.guest, Readers::OwnerAlone)? else { return Ok(None) };
        if kept.server.parse().as_ref() != Ok(origin) {
            let server = lusoria_client::printable(&kept.server);
            return Err(ProfileError::OtherServer { path: self.guest.clone(), server });
        }
        Ok(Some(kept))
    }

    /// Stores a new guest.
    pub(super) fn keep_guest(&self, origin: &Origin, guest: &Guest) -> Result<(), ProfileError> {
        let kept = StoredGuest { server: origin.to_string(), id: guest.id, token: guest.token.clone() };
        write(&self.guest, &kept)
    }

    /// Copies the guest to a new file. Returns the flag that chooses it.
    pub(super) fn set_aside(&self, guest: &StoredGuest) -> Result<String, ProfileError> {
        for number in 1.. {
            let (path, flag) = self.aside(number);
            match write_new(&path, guest) {
                Ok(()) => return Ok(flag),
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
                Err(why) => return Err(ProfileError::Io { path, why }),
            }
        }
        unreachable!("a folder has not so many files")
    }

    /// A new file for the previous guest, and the flag that chooses it.
    fn aside(&self, number: u32) -> (PathBuf, String) {
        match &self.called {
            Called::Named { server, name } => {
                let name: String = name.as_deref().unwrap_or("guest").chars().take(24).collect();
                let name = format!("{name}-{number}");
                let path = self.guest.with_file_name(guest_file_name(server, Some(&name)));
                (path, format!("--as {name}"))
            }
            Called::File => {
                let mut path = self.guest.clone().into_os_string();
                path.push(format!(".{number}"));
                let path = PathBuf::from(path);
                let flag = format!("--guest {}", path.display());
                (path, flag)
            }
        }
    }

    /// Removes the guest.
    pub(super) fn forget_guest(&self) -> Result<(), ProfileError> {
        fs::remove_file(&self.guest).map_err(|why| ProfileError::Io { path: self.guest.clone(), why })
    }

    /// Reads the stored data about the dice of a match.
    pub(super) fn dice(&self, guest: GuestId, id: MatchId) -> Result<Option<StoredDice>, ProfileError> {
        read(&self.dice_file(guest, id), Readers::Any)
    }

    /// Stores the data for checking the dice of a match.
    pub(super) fn keep_dice(
        &self,
        guest: GuestId,
        id: MatchId,
        dice: &StoredDice,
    ) -> Result<(), ProfileError> {
        write(&self.dice_file(guest, id), dice)
    }

    /// Reads the seed with that hash, which was stored before the id of its match was known.
    pub(super) fn seed(&self, guest: GuestId, hash: &Hash) -> Result<Option<PlayerSeed>, ProfileError> {
        Ok(read::<StoredDice>(&self.dice_file(guest, hash), Readers::Any)?.and_then(|kept| kept.seed))
    }

    /// Stores a seed by its hash; without it, the match could never begin.
    pub(super) fn keep_seed(
        &self,
        guest: GuestId,
        hash: &Hash,
        seed: &PlayerSeed,
    ) -> Result<(), ProfileError> {
        let kept = StoredDice { commitment: None, seed: Some(seed.clone()) };
        write(&self.dice_file(guest, hash), &kept)
    }

    /// Removes a seed that is now stored with its match.
    pub(super) fn forget_seed(&self, guest: GuestId, hash: &Hash) {
        // A leftover file is harmless.
        let _ = fs::remove_file(self.dice_file(guest, hash));
    }

    fn dice_file(&self, guest: GuestId, name: impl Display) -> PathBuf {
        self.folder.join("dice").join(guest.to_string()).join(format!("{name}.json"))
    }
}

fn guest_file_name(server: &str, called: Option<&str>) -> String {
    called.map_or_else(|| format!("{server}.json"), |name| format!("{server}@{name}.json"))
}

fn config_folder() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || absolute("HOME").map(|home| home.join(".config"));
    let folder = absolute("XDG_CONFIG_HOME").or_else(home).or_else(|| absolute("APPDATA"));
    folder.map(|folder| folder.join("lusoria"))
}

/// Who may be able to read a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Readers {
    /// Only its owner, because it contains a token.
    OwnerAlone,
    /// Anybody.
    Any,
}

fn read<T: DeserializeOwned>(path: &Path, readers: Readers) -> Result<Option<T>, ProfileError> {
    let failed = |why| ProfileError::Io { path: path.to_owned(), why };
    let unreadable = |why: String| ProfileError::Unreadable { path: path.to_owned(), why };
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(failed(why)),
    };
    #[cfg(unix)]
    if readers == Readers::OwnerAlone {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = file.metadata().map_err(failed)?.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(ProfileError::Exposed { path: path.to_owned(), mode });
        }
    }
    let mut text = String::new();
    io::Read::read_to_string(&mut io::Read::take(file, BYTES_MAX + 1), &mut text).map_err(failed)?;
    if text.len() as u64 > BYTES_MAX {
        return Err(unreadable(format!("it has more than {BYTES_MAX} bytes")));
    }
    serde_json::from_str(&text)
        .map(Some)
        .map_err(|why| unreadable(lusoria_client::printable(&why.to_string())))
}

/// Writes the whole file or nothing, readable only by its owner.
fn write(path: &Path, value: &impl Serialize) -> Result<(), ProfileError> {
    let failed = |why| ProfileError::Io { path: path.to_owned(), why };
    if let Some(folder) = path.parent() {
        private_folder(folder).map_err(failed)?;
    }
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{:016x}", SysRng.try_next_u64().unwrap_or_else(|_| u64::from(std::process::id()))));
    let draft = PathBuf::from(draft);
    let written = write_new(&draft, value).and_then(|()| fs::rename(&draft, path));
    written.inspect_err(|_| drop(fs::remove_file(&draft))).map_err(failed)
}

/// Writes a new file, readable only by its owner.
fn write_new(path: &Path, value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(value).expect("what is kept is plain data");
    let mut file = private_file(path)?;
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()
}

fn private_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.write(true).create_new(true).open(path)
}

fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin() -> Origin {
        "http://127.0.0.1:8080".parse().expect("an origin")
    }

    fn guest() -> Guest {
        serde_json::from_value(serde_json::json!({
            "id": "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f", "name": "Zeno", "token": "secret"
        }))
        .expect("a guest")
    }

    #[test]
    fn a_guest_is_found_again_and_only_by_their_own_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let profile = Profile::within(folder.path(), &origin(), None).expect("a keep");
        assert!(profile.guest(&origin()).expect("nothing yet").is_none());
        profile.keep_guest(&origin(), &guest()).expect("room");
        let kept = profile.guest(&origin()).expect("kept").expect("a guest");
        assert_eq!((kept.id, kept.token.as_str()), (guest().id, "secret"));
        let other = Profile::within(folder.path(), &origin(), Some("second")).expect("a keep");
        assert!(other.guest(&origin()).expect("nothing yet").is_none());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(profile.guest_file()).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        let drafts = fs::read_dir(folder.path().join("guests")).expect("a folder").count();
        assert_eq!(drafts, 1);
    }

    #[test]
    fn a_damaged_file_or_one_of_another_server_is_refused_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let profile = Profile::at(&folder.path().join("me.json"));
        profile.keep_guest(&"https://example.org".parse().expect("an origin"), &guest()).expect("room");
        assert!(matches!(profile.guest(&origin()), Err(ProfileError::OtherServer { .. })));
        let written_otherwise = "https://Example.ORG/".parse().expect("an origin");
        assert!(profile.guest(&written_otherwise).expect("the same server").is_some());
        for damage in ["", "{", "{}", "[]", "\u{0}"] {
            fs::write(profile.guest_file(), damage).expect("room");
            assert!(matches!(profile.guest(&origin()), Err(ProfileError::Unreadable { .. })), "{damage:?}");
            assert_eq!(fs::read_to_string(profile.guest_file()).expect("it is there"), damage);
        }
        fs::write(profile.guest_file(), "x".repeat(20_000)).expect("room");
        assert!(matches!(profile.guest(&origin()), Err(ProfileError::Unreadable { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_token_that_others_may_read_is_not_used() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let profile = Profile::within(folder.path(), &origin(), None).expect("a keep");
        profile.keep_guest(&origin(), &guest()).expect("room");
        for exposed in [0o640, 0o604, 0o620, 0o644] {
            let set = fs::set_permissions(profile.guest_file(), fs::Permissions::from_mode(exposed));
            set.expect("it is ours");
            let refused = profile.guest(&origin());
            assert!(matches!(refused, Err(ProfileError::Exposed { mode, .. }) if mode == exposed));
        }
        let set = fs::set_permissions(profile.guest_file(), fs::Permissions::from_mode(0o400));
        set.expect("it is ours");
        assert!(profile.guest(&origin()).expect("ours alone").is_some());
    }

    #[test]
    fn a_previous_guest_can_be_chosen_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let long = "x".repeat(32);
        for (called, flags) in [
            (None, ["--as guest-1", "--as guest-2"].map(str::to_owned)),
            (Some(long.as_str()), [1, 2].map(|n| format!("--as {}-{n}", "x".repeat(24)))),
        ] {
            let profile = Profile::within(folder.path(), &origin(), called).expect("a keep");
            profile.keep_guest(&origin(), &guest()).expect("room");
            let kept = profile.guest(&origin()).expect("kept").expect("a guest");
            for flag in flags {
                assert_eq!(profile.set_aside(&kept).expect("room"), flag);
                let name = flag.strip_prefix("--as ");
                let aside = Profile::within(folder.path(), &origin(), name).expect("a good name");
                assert_eq!(aside.guest(&origin()).expect("kept").expect("a guest").id, guest().id);
            }
        }
        let profile = Profile::at(&folder.path().join("me.json"));
        profile.keep_guest(&origin(), &guest()).expect("room");
        let kept = profile.guest(&origin()).expect("kept").expect("a guest");
        let flag = profile.set_aside(&kept).expect("room");
        let aside = Profile::at(Path::new(flag.strip_prefix("--guest ").expect("a file")));
        assert!(aside.guest(&origin()).expect("kept").is_some());
        profile.forget_guest().expect("it is there");
        assert!(profile.guest(&origin()).expect("forgotten").is_none());
    }

    #[test]
    fn names_that_would_leave_the_folder_are_refused() {
        for name in ["", "..", "a/b", "ü", "a b"] {
            let refused = Profile::within(Path::new("/nowhere"), &origin(), Some(name));
            assert!(matches!(refused, Err(ProfileError::Name)), "{name}");
        }
    }

    #[test]
    fn seeds_and_commitments_are_kept_for_each_guest() {
        let folder = tempfile::tempdir().expect("a folder");
        let profile = Profile::within(folder.path(), &origin(), None).expect("a keep");
        let (me, id) = (guest().id, "0190a6c2-7b1e-7cc3-98c4-dc0c0c073990".parse().expect("an id"));
        let hash: Hash = "ab".repeat(32).parse().expect("a hash");
        let seed: PlayerSeed = "alea iacta est".parse().expect("a seed");
        profile.keep_seed(me, &hash, &seed).expect("room");
        assert_eq!(profile.seed(me, &hash).expect("kept"), Some(seed.clone()));
        let dice = StoredDice { commitment: Some(hash), seed: Some(seed) };
        profile.keep_dice(me, id, &dice).expect("room");
        profile.forget_seed(me, &hash);
        assert_eq!(profile.seed(me, &hash).expect("forgotten"), None);
        assert_eq!(profile.dice(me, id).expect("kept"), Some(dice));
        assert_eq!(profile.dice(GuestId(uuid::Uuid::nil()), id).expect("nothing"), None);
    }
}
