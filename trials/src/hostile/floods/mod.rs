//! The floods: one a file. Each says what it does and in which documented limit it ends.

use std::io;

use clap::ValueEnum;

use super::lane::Lane;

/// What a flood is.
pub(super) struct About {
    /// What it does, in a few words.
    pub(super) does: &'static str,
    /// How many do it at the same time.
    pub(super) lanes: usize,
    /// How often they send in a second, all together.
    pub(super) per_s: u32,
    /// How it must end: each of these is counted at least once.
    pub(super) ends: &'static [&'static str],
    /// How long it lasts at least, in seconds: longer than the time-out by which it ends.
    pub(super) patience_s: u64,
}

macro_rules! floods {
    ($($name:ident $module:ident,)*) => {
        $(mod $module;)*

        /// The floods.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
        #[expect(missing_docs, reason = "each says what it does in `about`")]
        pub enum Flood {
            $($name,)*
        }

        impl Flood {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            pub(super) const fn about(self) -> &'static About {
                match self { $(Self::$name => &$module::ABOUT,)* }
            }

            /// What one who floods does, until a connection ends.
            pub(super) async fn attempt(self, lane: &mut Lane) -> io::Result<()> {
                match self { $(Self::$name => $module::attempt(lane).await,)* }
            }
        }
    };
}

floods! {
    Connections connections,
    Reconnects reconnects,
    SlowHeads slow_heads,
    SlowBodies slow_bodies,
    LongHeads long_heads,
    EndlessHeads endless_heads,
    LongBodies long_bodies,
    DeepJson deep_json,
    Nonsense nonsense,
    Requests requests,
    Sockets sockets,
    BadFrames bad_frames,
    Frames frames,
    Pings pings,
    OneByteFrames one_byte_frames,
    EmptyFrames empty_frames,
    LongMessages long_messages,
    Watches watches,
    OnLag on_lag,
    DeafSockets deaf_sockets,
    DeafReaders deaf_readers,
    DeafStreams deaf_streams,
    Guests guests,
    Renames renames,
    Matches matches,
    Tokens tokens,
    Codes codes,
    Rules rules,
    Records records,
    SentRecords sent_records,
    Lists lists,
    Building building,
    Crowd crowd,
}

impl Flood {
    /// Its name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flood_ends_in_something_and_can_be_called() {
        for flood in Flood::ALL {
            let About { does, lanes, per_s, ends, .. } = flood.about();
            assert!(!does.is_empty() && *lanes > 0 && *per_s > 0 && !ends.is_empty(), "{}", flood.name());
            assert_eq!(Flood::from_str(&flood.name(), false), Ok(*flood));
        }
    }
}
