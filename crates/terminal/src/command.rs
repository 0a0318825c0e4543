//! The commands that the user can type, besides moves.

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    // --- anywhere ---
    Help,
    Quit,
    /// Prints the user's name and id.
    Me,
    /// Changes the user's name.
    Name(String),
    // --- in the lobby ---
    /// Creates a match; the words after it are as on the command line.
    Create(Vec<String>),
    /// Lists the open matches.
    List,
    /// Lists the user's own matches.
    Mine,
    /// Lists the matches in progress.
    Live,
    /// Seeks an opponent; the words after it are as for `create`.
    Seek(Vec<String>),
    /// Challenges a player.
    Challenge(Vec<String>),
    /// Lists the user's seeks, and the challenges that they made or received.
    Challenges,
    /// Accepts a challenge, named by a number of the list.
    AcceptChallenge(String),
    /// Declines a challenge.
    DeclineChallenge(String),
    /// Withdraws a seek or a challenge.
    Withdraw(String),
    /// Lists tournaments, takes part in one, or follows one; some of them at a match too.
    Tournament(TournamentCommand),
    /// Takes a seat in a match, named by a number of the last list, an id, a code or a link.
    Join(String),
    /// Watches a match, named in the same way.
    Watch(String),
    // --- at a match ---
    /// Steps of a turn.
    Steps(String),
    /// An empty line: sends a complete turn, plays a forced one.
    Go,
    Undo,
    Reset,
    Legal,
    Hint,
    /// Takes back the user's last turn, against the computer.
    TakeBack,
    Draw,
    Accept,
    Decline,
    /// Resigns the game, or the whole match.
    Resign {
        whole: bool,
    },
    Abort,
    Claim,
    Rematch,
    Board,
    Turn,
    Dice,
    /// Saves the record.
    Record(String),
    /// Waits until there is something to do.
    Wait,
    /// Returns to the lobby.
    Leave,
    /// Makes a new invitation.
    Invite,
    Yes,
}

/// A command about tournaments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TournamentCommand {
    /// Lists them.
    List,
    /// Shows one, named by a number of the list, an id or a link; the one at hand without a name.
    Look(String),
    /// Enters, with the code of invitation if there is one.
    Enter(String),
    /// Says that the user is at the board.
    Here,
    Pause,
    Withdraw,
    /// Asks for a bye in that round.
    Bye(String),
    /// Tells what happens in one.
    Follow(String),
    Unfollow,
    /// Opens the board of the user's match.
    Board,
}

/// A line that is not a command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unknown {
    #[error("\"{0}\" is not a command here; help lists the commands")]
    Word(String),
    #[error("{0} needs {1} after it")]
    Needs(&'static str, &'static str),
    #[error("nothing follows after {0}")]
    Nothing(String),
}

/// The words of the commands, for completion, with their descriptions; and the command itself if nothing
/// follows the word.
pub(super) static WORDS: [(&str, &str, Option<Command>); 46] = [
    ("create", "GAME ...: make a match (create --help)", None),
    ("seek", "GAME,GAME ...: find an opponent (seek --help)", None),
    ("challenge", "ID GAME ...: challenge somebody (challenge --help)", None),
    ("challenges", "what I seek, and challenges", Some(Command::Challenges)),
    ("withdraw", "NUMBER: take back a seek or a challenge", None),
    (
        "tournaments",
        "those that run, come and have ended",
        Some(Command::Tournament(TournamentCommand::List)),
    ),
    ("tournament", "NUMBER, ID or LINK: look at one; alone the last one again", None),
    ("enter", "CODE: take part in the tournament; most need no code", None),
    ("here", "I am at the board and ready to play", Some(Command::Tournament(TournamentCommand::Here))),
    ("go", "to the board of my match in the tournament", Some(Command::Tournament(TournamentCommand::Board))),
    ("pause", "do not pair me until I say here", Some(Command::Tournament(TournamentCommand::Pause))),
    ("bye", "ROUND: ask for half a point instead of a match", None),
    ("withdraw tournament", "leave the tournament", None),
    ("follow", "NUMBER, ID or LINK: be told what happens in a tournament", None),
    ("unfollow", "be told no more", Some(Command::Tournament(TournamentCommand::Unfollow))),
    ("list", "open matches", Some(Command::List)),
    ("live", "matches that are played now", Some(Command::Live)),
    ("mine", "my matches", Some(Command::Mine)),
    ("join", "NUMBER, ID, CODE or LINK: take a seat", None),
    ("watch", "NUMBER, ID or LINK: look at a match", None),
    ("me", "who I am", Some(Command::Me)),
    ("name", "NAME: take another name", None),
    ("undo", "take the last step back", Some(Command::Undo)),
    ("reset", "take all steps back", Some(Command::Reset)),
    ("legal", "what can be played", Some(Command::Legal)),
    ("hint", "what the computer would play", Some(Command::Hint)),
    ("takeback", "take the last turn back; a person must agree", Some(Command::TakeBack)),
    ("draw", "offer a draw", Some(Command::Draw)),
    ("accept", "accept an offer, or challenge NUMBER", Some(Command::Accept)),
    ("decline", "decline an offer, or challenge NUMBER", Some(Command::Decline)),
    ("resign", "give up the game", None),
    ("resign match", "give up the whole match", None),
    ("abort", "abort the match, as long as that can be done", Some(Command::Abort)),
    ("claim", "claim the game of an opponent who has gone", Some(Command::Claim)),
    ("rematch", "offer another match", Some(Command::Rematch)),
    ("invite", "make a new invitation", Some(Command::Invite)),
    ("board", "draw the board", Some(Command::Board)),
    ("turn", "turn the board by a half", Some(Command::Turn)),
    ("dice", "commitment and seeds of the dice", Some(Command::Dice)),
    ("record", "FILE: save the record", None),
    (
        "wait",
        "wait until there is something to do before reading the next line (for scripts)",
        Some(Command::Wait),
    ),
    ("leave", "back to the lobby", Some(Command::Leave)),
    ("yes", "yes, really", Some(Command::Yes)),
    ("help", "what can be done now", Some(Command::Help)),
    ("quit", "leave", Some(Command::Quit)),
    ("exit", "leave", Some(Command::Quit)),
];

/// Abbreviations.
const SHORT: [(&str, &str); 6] =
    [("u", "undo"), ("l", "legal"), ("b", "board"), ("h", "help"), ("?", "help"), ("q", "quit")];

/// Reads a line.
pub(super) fn read(line: &str) -> Result<Command, Unknown> {
    let line = line.trim();
    if super::moves::looks_like_steps(line) {
        return Ok(Command::Steps(line.to_owned()));
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let word = word.to_lowercase();
    let with = |name: &'static str, what: &'static str| {
        if rest.is_empty() { Err(Unknown::Needs(name, what)) } else { Ok(rest.to_owned()) }
    };
    match word.as_str() {
        "" => Ok(Command::Go),
        "create" | "new" => Ok(Command::Create(rest.split_whitespace().map(str::to_owned).collect())),
        "seek" => Ok(Command::Seek(rest.split_whitespace().map(str::to_owned).collect())),
        "challenge" => Ok(Command::Challenge(rest.split_whitespace().map(str::to_owned).collect())),
        "withdraw" if rest == "tournament" => Ok(Command::Tournament(TournamentCommand::Withdraw)),
        "tournament" => Ok(Command::Tournament(TournamentCommand::Look(rest.to_owned()))),
        "enter" => Ok(Command::Tournament(TournamentCommand::Enter(rest.to_owned()))),
        "bye" => with("bye", "the number of a round")
            .map(|round| Command::Tournament(TournamentCommand::Bye(round))),
        "follow" => Ok(Command::Tournament(TournamentCommand::Follow(rest.to_owned()))),
        "withdraw" => Ok(Command::Withdraw(rest.to_owned())),
        "accept" if !rest.is_empty() => Ok(Command::AcceptChallenge(rest.to_owned())),
        "decline" if !rest.is_empty() => Ok(Command::DeclineChallenge(rest.to_owned())),
        "join" => Ok(Command::Join(rest.to_owned())),
        "watch" | "open" => with("watch", "a number of the list, an id or a link").map(Command::Watch),
        "name" => with("name", "the new name").map(Command::Name),
        "record" => with("record", "the name of a file").map(Command::Record),
        "resign" => match rest {
            "" => Ok(Command::Resign { whole: false }),
            "match" => Ok(Command::Resign { whole: true }),
            _ => Err(Unknown::Nothing(word)),
        },
        _ => {
            let whole =
                SHORT.iter().find(|(short, _)| *short == word).map_or(word.as_str(), |(_, whole)| whole);
            match WORDS.iter().find(|(known, ..)| *known == whole) {
                Some((_, _, Some(command))) if rest.is_empty() => Ok(command.clone()),
                Some(_) => Err(Unknown::Nothing(word)),
                None => Err(Unknown::Word(super::event_text::clipped(&word, 40))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_that_is_offered_is_read() {
        for (word, does, _) in &WORDS {
            assert!(does.is_ascii(), "{does}");
            assert!(!matches!(read(word), Err(Unknown::Word(_))), "{word}");
        }
    }

    #[test]
    fn lines_are_read_as_they_are_meant() {
        for (line, command) in [
            ("", Command::Go),
            ("  24/18 13/8 ", Command::Steps("24/18 13/8".to_owned())),
            ("resign", Command::Resign { whole: false }),
            ("RESIGN match", Command::Resign { whole: true }),
            (
                "create tavla --computer 3",
                Command::Create(vec!["tavla".to_owned(), "--computer".to_owned(), "3".to_owned()]),
            ),
            ("join http://a/join#x", Command::Join("http://a/join#x".to_owned())),
            ("withdraw tournament", Command::Tournament(TournamentCommand::Withdraw)),
            ("withdraw 2", Command::Withdraw("2".to_owned())),
            (
                "enter ides of march",
                Command::Tournament(TournamentCommand::Enter("ides of march".to_owned())),
            ),
            ("q", Command::Quit),
        ] {
            assert_eq!(read(line), Ok(command), "{line}");
        }
        assert!(matches!(read("watch"), Err(Unknown::Needs("watch", _))));
        assert_eq!(read("quit now"), Err(Unknown::Nothing("quit".to_owned())));
        assert_eq!(read("fly\u{1b}"), Err(Unknown::Word("fly\\u{1b}".to_owned())));
    }
}
