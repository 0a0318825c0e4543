//! What the person who runs a server does about guests and matches, at the moments at which it
//! is hardest: while they ask for something, while the store fails.

mod matches;
mod seats;
mod world;
