//! Talk beside a match: its rooms, the phrases, and the reasons for reports. None of it is in the journal.

use serde::{Deserialize, Serialize};

/// An enum whose values have names, which are used on the wire and in the database.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident { $($(#[$of:meta])* $name:ident $text:tt,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        pub enum $type {
            $($(#[$of])* #[serde(rename = $text)] $name,)+
        }

        impl $type {
            /// All values.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Its name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// The value of that name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == name)
            }
        }
    };
}

named! {
    /// Where something is said in a match. Each room hears only itself.
    TalkRoom {
        /// Among the two players.
        Players "players",
        /// Among those who watch. The players neither read nor write there until the match has ended.
        Watchers "watchers",
    }
}

named! {
    /// What can be said by its name. Every reader has it in their own language.
    Phrase {
        /// Hello!
        Hello "hello",
        /// Good luck!
        GoodLuck "good_luck",
        /// Have fun!
        HaveFun "have_fun",
        /// Well played!
        WellPlayed "well_played",
        /// What a throw!
        WhatAThrow "what_a_throw",
        /// That was lucky.
        Lucky "lucky",
        /// That was bad luck.
        BadLuck "bad_luck",
        /// Oops!
        Oops "oops",
        /// I have to think.
        Thinking "thinking",
        /// I am back in a moment.
        BackSoon "back_soon",
        /// I am back.
        Back "back",
        /// Thank you!
        Thanks "thanks",
        /// Sorry!
        Sorry "sorry",
        /// Good game!
        GoodGame "good_game",
        /// Another one?
        Another "another",
        /// Goodbye!
        Goodbye "goodbye",
    }
}

named! {
    /// What somebody is reported for.
    ReportReason {
        /// Insults, threats or harassment, in talk or by a name.
        Abuse "abuse",
        /// Advertising, or the same again and again.
        Spam "spam",
        /// Help from a program.
        Engine "engine",
        /// Losing on purpose, or playing with oneself for the rating.
        Sandbagging "sandbagging",
        /// Letting time run out, or leaving again and again.
        Stalling "stalling",
        /// Something else.
        Other "other",
    }
}
