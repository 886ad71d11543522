package dev.millrace.scheduler.flow.core.machine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.Limits;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.Optional;
import java.util.Set;

/** A run of a definition in any dialect, through compiler and machine, without workers. */
public final class WorkflowRun {
    private final RunOfFlow run;

    private WorkflowRun(RunOfFlow run) {
        this.run = run;
    }

    /** Starts a run. */
    public static WorkflowRun of(String dialect, String definition, String input) {
        FlowModel model = model(dialect, definition, Set.of());
        RunInput accepted = RunInput.check(model.definition(), new Json(input));
        assertThat(accepted).isInstanceOf(RunInput.Accepted.class);
        RunOfFlow run =
                new RunOfFlow(model, ((RunInput.Accepted) accepted).input().text());
        run.start();
        return new WorkflowRun(run);
    }

    static FlowModel model(String dialect, String definition, Set<String> files) {
        Compilation compilation =
                FlowCompiler.compile(new FlowSource("flow.json", Optional.of(dialect), definition).with(files));
        assertThat(compilation).as("%s", compilation).isInstanceOf(Compilation.Compiled.class);
        Compilation.Compiled compiled = (Compilation.Compiled) compilation;
        return Flows.model(compiled.flow(), compiled.scriptPaths(), Limits.DEFAULT);
    }

    /** Keys of the jobs in progress, in the order in which they began. */
    public Set<String> live() {
        return run.live().keySet();
    }

    /** The input of a job in progress. */
    public String input(String key) {
        return run.inputOf(key);
    }

    /** The options of a job in progress. */
    public JobOptions options(String key) {
        StartJob job = run.live().get(key);
        assertThat(job).as("the job of " + key).isNotNull();
        return requireNonNull(job).options();
    }

    /** A run that is being started. */
    public StartRun started(String key) {
        StartRun started = run.runs().get(key);
        assertThat(started).as("the start at " + key).isNotNull();
        return requireNonNull(started);
    }

    /** What ends a wait in progress. */
    public StartWait.Until waiting(String key) {
        StartWait wait = run.waits().get(key);
        assertThat(wait).as("the wait of " + key).isNotNull();
        return requireNonNull(wait).until();
    }

    /** Fails something in progress with a retryable error of this name. */
    public WorkflowRun fail(String key, String name, String message) {
        run.on(new FlowEvent.StepEnded(new StepKey(key), new Outcome.Failed(new JobError(name, message, "", true))));
        return this;
    }

    public WorkflowRun succeed(String key, String result) {
        run.succeed(key, result);
        return this;
    }

    public WorkflowRun fail(String key, String message) {
        run.fail(key, message);
        return this;
    }

    public boolean ended() {
        return run.end().isPresent();
    }

    /** The output of the run. */
    public String output() {
        return run.output();
    }

    /** The error message of the run. */
    public String failure() {
        return run.failure();
    }

    /** The result of a step. */
    public String result(String key) {
        return run.journal().stream()
                .filter(row -> row.key().text().equals(key))
                .map(row -> ((Outcome.Succeeded) row.outcome()).result().text())
                .findFirst()
                .orElseThrow();
    }
}
