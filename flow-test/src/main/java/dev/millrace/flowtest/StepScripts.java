package dev.millrace.flowtest;

import dev.millrace.flowtest.script.NamedValues;
import dev.millrace.flowtest.script.ScriptAnswer;
import dev.millrace.flowtest.script.ScriptCall;
import dev.millrace.flowtest.script.ScriptCode;
import dev.millrace.flowtest.script.ScriptHost;
import dev.millrace.scheduler.queue.core.AttemptResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The scripts that one test runs, and what they print. They take no virtual time. */
public final class StepScripts {
    private final ScriptHost host;
    private final NamedValues values;
    private final List<String> output = new ArrayList<>();

    /** Scripts without secrets and resources. */
    public StepScripts(ScriptHost host) {
        this(host, NamedValues.NONE);
    }

    /** @param values the secrets and resources that the scripts get */
    public StepScripts(ScriptHost host, NamedValues values) {
        this.host = host;
        this.values = values;
    }

    NamedValues values() {
        return values;
    }

    /** A fake that runs a script. */
    public Fake running(ScriptCode code) {
        return call -> {
            AttemptResult result = run(new ScriptCall(
                    code,
                    call.run().toString(),
                    call.step().text(),
                    call.attempt(),
                    call.input(),
                    values,
                    call.timeout()));
            return new Fake.Answer(result, Duration.ZERO);
        };
    }

    /** Runs a script, and keeps what it prints. */
    AttemptResult run(ScriptCall call) {
        ScriptAnswer answer = host.run(call);
        if (!answer.log().isEmpty()) {
            output.add(
                    call.step().isEmpty()
                            ? "The script printed:"
                            : "Step \"" + call.step() + "\", attempt " + call.attempt() + ", printed:");
            answer.log().lines().map(line -> "  " + line).forEach(output::add);
        }
        return answer.result();
    }

    /** What the scripts have printed, a line each. */
    public List<String> output() {
        return List.copyOf(output);
    }
}
