// A turn throws three dice and passes to the other player.

export const game = {
  name: "dice",
  setup: () => ({ turns: 0, dice: [] }),
  moves: {
    turn: ({ G, random, events }) => {
      G.turns += 1;
      G.dice = random.D6(3);
      events.endTurn();
    },
  },
  minPlayers: 2,
  maxPlayers: 2,
};
