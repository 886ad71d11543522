package dev.millrace.scheduler.flow.core.graph;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.InputReference;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.StepInput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A flow that is ready to run: each script is resolved to a version, and each option has a value. Immutable. All runs
 * of a version share one model, except runs with an environment or an input of a step of their own.
 */
public final class FlowModel {
    private static final String BELOW_FAILURE = StepKey.FAILURE + ".";

    private final FlowDefinition definition;
    private final Graph graph;
    private final Optional<Graph> onFailure;
    private final Limits limits;
    private final boolean keepsResults;
    private final List<String> erasures;
    private final AffinityRules affinity;
    private final boolean awaitsRuns;
    private final boolean computes;
    private final boolean endsStepsAtOnce;
    private final Set<Root.Reference> references;
    private final Optional<JsonValue> runEnv;
    private final Optional<StepInput> stepInput;

    private FlowModel(FlowDefinition definition, GraphBuilder.Built graphs, Limits limits) {
        this.definition = definition;
        this.graph = graphs.steps();
        this.onFailure = graphs.onFailure();
        this.limits = requireNonNull(limits, "limits");
        this.keepsResults = Stream.concat(Stream.of(graph), onFailure.stream())
                .anyMatch(steps -> steps.anyTask(task -> task.cache().isPresent()));
        this.erasures = RedactionRules.of(graph, onFailure);
        this.affinity = AffinityRules.of(this);
        this.awaitsRuns = Stream.concat(Stream.of(graph), onFailure.stream())
                .anyMatch(steps -> steps.anyNode(node -> node.work() instanceof ChildRunWork));
        this.computes = !Stream.concat(Stream.of(graph), onFailure.stream()).allMatch(Graph::isPlain);
        this.endsStepsAtOnce = keepsResults
                || Stream.concat(Stream.of(graph), onFailure.stream())
                        .anyMatch(steps -> steps.anyNode(node -> node.work().mayEndAtOnce()));
        this.references = Stream.concat(Stream.of(graph), onFailure.stream())
                .flatMap(Graph::tasks)
                .flatMap(TaskWork::references)
                .flatMap(InputReference::named)
                .collect(Collectors.toUnmodifiableSet());
        this.runEnv = Optional.empty();
        this.stepInput = Optional.empty();
    }

    private FlowModel(FlowModel shared, Optional<Json> env, Optional<StepInput> stepInput) {
        FlowOptions options = shared.definition.options();
        this.definition = env.map(given -> shared.definition.with(options.in(RunEnv.over(options.env(), given))))
                .orElse(shared.definition);
        this.graph = shared.graph;
        this.onFailure = shared.onFailure;
        this.limits = shared.limits;
        this.keepsResults = shared.keepsResults;
        this.erasures = shared.erasures;
        this.affinity = shared.affinity;
        this.awaitsRuns = shared.awaitsRuns;
        this.computes = shared.computes;
        this.endsStepsAtOnce = shared.endsStepsAtOnce;
        this.references = shared.references;
        this.runEnv = env.map(JsonValue::of);
        this.stepInput = requireNonNull(stepInput, "stepInput");
    }

    /**
     * Like {@link #resolve(FlowDefinition, Map, SubFlows, Defaults, Limits)}, with {@link Limits#DEFAULT} and without
     * sub-flows.
     */
    public static FlowModel resolve(
            FlowDefinition definition, Map<String, JobTarget.Script> scripts, Defaults defaults) {
        return resolve(definition, scripts, SubFlows.NONE, defaults, Limits.DEFAULT);
    }

    /** Like {@link #resolve(FlowDefinition, Map, SubFlows, Defaults, Limits)}, without sub-flows. */
    public static FlowModel resolve(
            FlowDefinition definition, Map<String, JobTarget.Script> scripts, Defaults defaults, Limits limits) {
        return resolve(definition, scripts, SubFlows.NONE, defaults, limits);
    }

    /**
     * Resolves a definition that a dialect has validated.
     *
     * @param scripts the version of each script path in the definition
     * @param subFlows the version of each flow that runs as a part of this one
     * @throws IllegalArgumentException if a version is missing or the definition contradicts itself
     */
    public static FlowModel resolve(
            FlowDefinition definition,
            Map<String, JobTarget.Script> scripts,
            SubFlows subFlows,
            Defaults defaults,
            Limits limits) {
        Tasks tasks = new Tasks(scripts, defaults, definition.options().priority());
        return new FlowModel(definition, GraphBuilder.build(tasks, subFlows, definition), limits);
    }

    /**
     * Returns the model for one run: this model, or a copy with what the run was given.
     *
     * @param env environment of the run
     * @param input input of one of its steps
     */
    public FlowModel in(Optional<Json> env, Optional<StepInput> input) {
        return env.isEmpty() && input.isEmpty() ? this : new FlowModel(this, env, input);
    }

    public FlowDefinition definition() {
        return definition;
    }

    /** The environment that the run was given; empty if it was given none. */
    public Optional<JsonValue> runEnv() {
        return runEnv;
    }

    /** The input that the run was given for a step, in place of the one that the flow computes; empty for other steps. */
    public Optional<JsonValue> givenInput(StepKey step) {
        return stepInput.filter(given -> given.step().equals(step.text())).map(given -> JsonValue.of(given.input()));
    }

    public Graph graph() {
        return graph;
    }

    /** The steps that handle a failure of the flow. */
    public Optional<Graph> onFailure() {
        return onFailure;
    }

    /** Returns the kind of the step with a key. */
    public JobKind kind(StepKey key) {
        return key.step().equals(StepKey.FAILURE)
                ? JobKind.SUB_FLOW
                : walk(key).node().work().kind();
    }

    /** Regular expressions for the keys of steps whose data is deleted after the run. */
    public List<String> erasures() {
        return erasures;
    }

    /** Returns whether any step uses the result cache. */
    public boolean keepsResults() {
        return keepsResults;
    }

    /** Returns whether the result of a step goes to the result cache. */
    public boolean keepsResult(StepKey step) {
        return keepsResults
                && walk(step).node().work() instanceof TaskWork task
                && task.cache().isPresent();
    }

    /** Secrets and resources to which steps refer, those of sub-flows included. */
    public Set<Root.Reference> references() {
        return references;
    }

    /** Secrets and resources in the input of the jobs of a step. */
    public Stream<InputReference> references(StepKey step) {
        return references.isEmpty()
                ? Stream.empty()
                : TaskWork.in(walk(step).node()).flatMap(TaskWork::references);
    }

    /** Returns whether any step waits for a child run. */
    public boolean awaitsRuns() {
        return awaitsRuns;
    }

    /**
     * Returns the outcome of a step whose child run has ended. It is the outcome of the child run; if the step asks for
     * the run id, a successful result contains the id.
     */
    public Outcome endOf(StepKey step, RunId child, Outcome end) {
        return end instanceof Outcome.Succeeded(Json output)
                        && walk(step).node().work() instanceof ChildRunWork work
                        && work.runIdAs().isPresent()
                ? new Outcome.Succeeded(withRunId(work.runIdAs().get(), child, JsonValue.of(output)))
                : end;
    }

    private static Json withRunId(String member, RunId child, JsonValue output) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put(member, JsonValue.ofString(child.toString()));
        switch (output.kind()) {
            case OBJECT -> members.putAll(output.members());
            case NULL -> {}
            case ARRAY, STRING, NUMBER, BOOLEAN -> members.put("result", output);
        }
        return JsonValue.ofMembers(members).json();
    }

    /**
     * Returns whether a transition may evaluate an expression, or check an input, that is not plain. A lane must not make such transitions
     * itself.
     */
    public boolean computes() {
        return computes;
    }

    /** Returns whether the keys of the flow's limit and cache are plain, so that a lane may evaluate them. */
    public boolean hasPlainKeys() {
        FlowOptions options = definition.options();
        return options.concurrency().map(limit -> limit.key().isPlain()).orElse(true)
                && options.cache()
                        .flatMap(TaskOptions.Cache::key)
                        .map(Template::isPlain)
                        .orElse(true);
    }

    /** Returns whether a step may end as it begins, so that one transition can lead directly to the next. */
    public boolean endsStepsAtOnce() {
        return endsStepsAtOnce;
    }

    /** The affinity groups of the flow. */
    public AffinityRules affinity() {
        return affinity;
    }

    /** Returns the position of a step in the flow, for comparison. */
    public List<Integer> order(StepKey key) {
        return walk(key).order();
    }

    /**
     * Finds a step in the flow by its key. For the key of an iteration or a branch, finds the step that contains it.
     */
    public KeyWalk walk(StepKey key) {
        if (!key.text().startsWith(BELOW_FAILURE)) {
            return KeyWalk.of(graph, key);
        }
        KeyWalk inside =
                KeyWalk.of(onFailure.orElseThrow(), new StepKey(key.text().substring(BELOW_FAILURE.length())));
        List<Integer> order = new ArrayList<>(inside.order());
        order.addFirst(graph.nodes().size());
        return new KeyWalk(inside.list(), inside.node(), order);
    }

    public long transitionBytesMax() {
        return limits.transitionBytesMax();
    }

    public long stateBytesMax() {
        return limits.stateBytesMax();
    }

    public int payloadBytesMax() {
        return limits.payloadBytesMax();
    }
}
