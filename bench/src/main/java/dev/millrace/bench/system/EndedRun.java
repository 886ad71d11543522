package dev.millrace.bench.system;

import dev.millrace.bench.measure.Check;
import dev.millrace.proto.run.v1.Run;

/** End of a run as seen by its caller. */
public record EndedRun(String id, boolean succeeded, String output, String error) {
    static EndedRun of(Run run) {
        return new EndedRun(
                run.getId(),
                run.getState() == Run.State.STATE_SUCCEEDED,
                run.getOutput().toStringUtf8(),
                run.getState() + " " + run.getError().getName() + " "
                        + run.getError().getMessage());
    }

    /** Checks that the run succeeded with this output. */
    public void check(String expectedOutput) {
        Check.equal("the end of run " + id + " (" + error + ")", true, succeeded);
        Check.equal("the output of run " + id, expectedOutput, output);
    }
}
