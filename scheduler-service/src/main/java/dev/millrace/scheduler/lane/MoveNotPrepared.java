package dev.millrace.scheduler.lane;

/**
 * Thrown if a move may evaluate expressions and is not prepared. No lane evaluates them, so the command is set aside
 * until the move is prepared.
 */
final class MoveNotPrepared extends RuntimeException {
    private final transient LiveFlow flow;
    private final transient Move move;

    MoveNotPrepared(LiveFlow flow, Move move) {
        super("a move of run " + flow.root().run() + " is not prepared", null, false, false);
        this.flow = flow;
        this.move = move;
    }

    LiveFlow flow() {
        return flow;
    }

    Move move() {
        return move;
    }
}
