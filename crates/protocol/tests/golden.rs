//! Every wire type against examples: a change of format changes a golden file. A value that is read is written again
//! exactly.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod covered;

use std::path::Path;

use lusoria_protocol::*;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use covered::{Places, Schemas};

fn examples(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn round_trips<T: DeserializeOwned + Serialize>(name: &str) {
    for example in examples(name) {
        let read: T =
            serde_json::from_value(example.clone()).unwrap_or_else(|error| panic!("{example}: {error}"));
        assert_eq!(serde_json::to_value(&read).unwrap(), example);
    }
}

fn refuses_unknown_fields<T: DeserializeOwned>(name: &str) {
    for mut example in examples(name) {
        example["surprise"] = true.into();
        assert!(serde_json::from_value::<T>(example.clone()).is_err(), "accepted {example}");
    }
}

macro_rules! golden {
    ($($openness:ident $name:ident: $type:ty,)*) => {
        $(#[test] fn $name() { golden!(@$openness $name $type); })*

        /// Without an example, a change in how a value, an alternative or a field is written would go unnoticed.
        #[test]
        fn everything_that_the_schemas_allow_has_an_example() {
            let (mut schemas, mut seen) = (Schemas::default(), Places::new());
            $(golden!(@schemas $openness schemas $type);)*
            $(for example in examples(stringify!($name)) {
                golden!(@seen $openness schemas seen example $type);
            })*
            let missing: Vec<_> = schemas.allowed().difference(&seen).cloned().collect();
            assert_eq!(missing, [""; 0], "these need a line in tests/golden");
        }

        #[test]
        fn every_golden_file_is_read() {
            let known = [$(concat!(stringify!($name), ".json")),*];
            for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                assert!(known.contains(&name.as_str()), "{name} belongs to no type");
            }
        }
    };
    (@open $name:ident $type:ty) => {
        round_trips::<$type>(stringify!($name));
    };
    (@schemas written_by_hand $schemas:ident $type:ty) => {};
    (@schemas $openness:ident $schemas:ident $type:ty) => {
        $schemas.add::<$type>();
    };
    (@seen written_by_hand $schemas:ident $seen:ident $example:ident $type:ty) => {
        let _ = $example;
    };
    (@seen $openness:ident $schemas:ident $seen:ident $example:ident $type:ty) => {
        $schemas.note::<$type>(&$example, &mut $seen);
    };
    (@written_by_hand $name:ident $type:ty) => {
        golden!(@closed $name $type);
    };
    (@closed $name:ident $type:ty) => {
        round_trips::<$type>(stringify!($name));
        refuses_unknown_fields::<$type>(stringify!($name));
    };
}

// `closed` types come from clients and refuse unknown fields. A type that is `written_by_hand` is one of them, but
// has no schema of its own.
golden! {
    closed create_guest: CreateGuest,
    open guest: Guest,
    open me: Me,
    closed rename_guest: RenameGuest,
    open device_code: DeviceCode,
    closed spend_device_code: SpendDeviceCode,
    open session_list: SessionList,
    closed open_account: OpenAccount,
    open opened_account: OpenedAccount,
    open account: Account,
    closed sign_in: SignIn,
    closed recover: Recover,
    closed change_password: ChangePassword,
    open changed_password: ChangedPassword,
    closed new_recovery_codes: NewRecoveryCodes,
    closed erase_account: EraseAccount,
    closed remove_password: RemovePassword,
    closed adopt: Adopt,
    open adopted: Adopted,
    open recovery_codes: RecoveryCodes,
    closed passkey_challenge_request: PasskeyChallengeRequest,
    open passkey_challenge: PasskeyChallenge,
    closed add_passkey: AddPasskey,
    closed rename_passkey: RenamePasskey,
    closed remove_passkey: RemovePasskey,
    open passkey: Passkey,
    open passkey_list: PasskeyList,
    closed sign_in_with_passkey: SignInWithPasskey,
    open push_server_key: PushServerKey,
    closed put_push_subscription: PutPushSubscription,
    open push_subscription_list: PushSubscriptionList,
    open push_message: PushMessage,
    closed create_seek: CreateSeek, open seek: Seek, open seek_list: SeekList, open block_list: BlockList, closed create_api_token: CreateApiToken, open created_api_token: CreatedApiToken, open api_token_list: ApiTokenList, open token_info: TokenInfo,
    closed create_challenge: CreateChallenge,
    closed accept_challenge: AcceptChallenge,
    closed decline_challenge: DeclineChallenge,
    open challenge: Challenge,
    open challenge_list: ChallengeList,
    closed challenge_settings: ChallengeSettings,
    closed conditional_turns: ConditionalTurns,
    open conditional_turns_list: ConditionalTurnsList,
    open preferences: Preferences,
    closed change_preferences: ChangePreferences,
    open follow_list: FollowList,
    open player_list: PlayerList,
    open profile: Profile,
    open head_to_head: HeadToHead,
    open statistics_list: StatisticsList,
    open tv: Tv,
    open game_statistics: GameStatistics,
    closed clock: Clock,
    closed create_match: CreateMatch,
    open created: Created,
    closed join_match: JoinMatch,
    closed spend_invitation: SpendInvitation,
    closed look_invitation: LookInvitation,
    closed reveal_seed: RevealSeed,
    closed play_turn: PlayTurn,
    closed building: Building,
    closed legal_question: LegalQuestion,
    open legal: Legal,
    closed hint_question: HintQuestion,
    closed evaluation_question: EvaluationQuestion,
    open evaluation: Evaluation,
    open hint: Hint,
    closed resign: Resign,
    closed abort: Abort,
    closed claim: Claim,
    closed takeback: Takeback,
    closed draw: Draw,
    closed rematch: Rematch,
    open answer: Answer,
    open rematch_answer: RematchAnswer,
    open event: Event,
    open events: Events,
    open snapshot: Snapshot,
    open match_list: MatchList,
    open open_matches: OpenMatches,
    open waiting: Waiting,
    open notice: Notice,
    closed create_tournament: CreateTournament,
    closed edit_tournament: EditTournament,
    closed tournament_entry: TournamentEntry,
    closed tournament_direction: TournamentDirection,
    open tournament: Tournament,
    open tournament_list: TournamentList,
    open entrant_list: EntrantList,
    open standings: Standings,
    open pairing_list: PairingList,
    open luck_table: LuckTable,
    open tournament_events: TournamentEvents,
    open record: Record,
    open judged_record: JudgedRecord,
    open analysis: Analysis,
    open turn_rollout: TurnRollout,
    closed rules_question: RulesQuestion,
    open rules_answer: RulesAnswer,
    closed position: Position,
    open health: Health,
    open problem: Problem,
    written_by_hand client_message: socket::ClientMessage,
    open reply: socket::Reply,
    open hello_ok: socket::HelloOk,
    open watch_ok: socket::WatchOk,
    open catalogue_entry: CatalogueEntry,
    open catalogue: Catalogue,
}

/// The golden file of client messages has every operation.
#[test]
fn every_operation_has_an_example() {
    let examples = examples("client_message");
    for name in socket::Op::NAMES {
        assert!(examples.iter().any(|example| example["op"] == *name), "no example of {name}");
    }
}

#[test]
fn every_code_is_written_as_it_is_named() {
    for code in Code::ALL {
        assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        assert!((400..600).contains(&code.status()), "{code:?}");
    }
}
