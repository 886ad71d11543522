package dev.millrace.scheduler.flow.core.graph;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A flow ready to run: every script is a version, every option has a value. Immutable; shared by all runs of a version, but for those with an
 * environment of their own.
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
    private final Optional<JsonValue> runEnv;

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
        this.runEnv = Optional.empty();
    }

    private FlowModel(FlowModel shared, Json env) {
        FlowOptions options = shared.definition.options();
        this.definition = shared.definition.with(options.in(RunEnv.over(options.env(), env)));
        this.graph = shared.graph;
        this.onFailure = shared.onFailure;
        this.limits = shared.limits;
        this.keepsResults = shared.keepsResults;
        this.erasures = shared.erasures;
        this.affinity = shared.affinity;
        this.awaitsRuns = shared.awaitsRuns;
        this.computes = shared.computes;
        this.endsStepsAtOnce = shared.endsStepsAtOnce;
        this.runEnv = Optional.of(JsonValue.of(env));
    }

    /** As {@link #resolve(FlowDefinition, Map, SubFlows, Defaults, Limits)}, with {@link Limits#DEFAULT} and no sub-flow. */
    public static FlowModel resolve(
            FlowDefinition definition, Map<String, JobTarget.Script> scripts, Defaults defaults) {
        return resolve(definition, scripts, SubFlows.NONE, defaults, Limits.DEFAULT);
    }

    /** As {@link #resolve(FlowDefinition, Map, SubFlows, Defaults, Limits)}, without sub-flows. */
    public static FlowModel resolve(
            FlowDefinition definition, Map<String, JobTarget.Script> scripts, Defaults defaults, Limits limits) {
        return resolve(definition, scripts, SubFlows.NONE, defaults, limits);
    }

    /**
     * Resolves a definition that a dialect has checked.
     *
     * @param scripts the version of each script path that the definition names
     * @param subFlows the version of each flow that it runs as a part of itself
     * @throws IllegalArgumentException where one of them is missing or the definition contradicts itself
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

    /** The same for one run, where that was given an environment. */
    public FlowModel in(Optional<Json> env) {
        return env.map(given -> new FlowModel(this, given)).orElse(this);
    }

    public FlowDefinition definition() {
        return definition;
    }

    /** The environment that the run was given. */
    public Optional<JsonValue> runEnv() {
        return runEnv;
    }

    public Graph graph() {
        return graph;
    }

    /** The steps that run once the flow has failed. */
    public Optional<Graph> onFailure() {
        return onFailure;
    }

    /** What the step of a key is. */
    public JobKind kind(StepKey key) {
        return key.step().equals(StepKey.FAILURE)
                ? JobKind.SUB_FLOW
                : walk(key).node().work().kind();
    }

    /** Steps of which nothing is to be kept after the run, as regular expressions for their keys. */
    public List<String> erasures() {
        return erasures;
    }

    /** Whether any of its steps uses the cache of results. */
    public boolean keepsResults() {
        return keepsResults;
    }

    /** Whether the result of the step is to be kept in the cache. */
    public boolean keepsResult(StepKey step) {
        return keepsResults
                && walk(step).node().work() instanceof TaskWork task
                && task.cache().isPresent();
    }

    /** Whether any of its steps waits for the end of a run of its own. */
    public boolean awaitsRuns() {
        return awaitsRuns;
    }

    /** How a step ends for which a run of its own has ended: as that run, with its id among what it results in where the step says so. */
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

    /** Whether a transition may evaluate what is no plain path: no lane may make it. */
    public boolean computes() {
        return computes;
    }

    /** Whether the keys of its limit and of its cache are plain, so that a lane may evaluate them. */
    public boolean hasPlainKeys() {
        FlowOptions options = definition.options();
        return options.concurrency().map(limit -> limit.key().isPlain()).orElse(true)
                && options.cache()
                        .flatMap(TaskOptions.Cache::key)
                        .map(Template::isPlain)
                        .orElse(true);
    }

    /** Whether one transition may lead to the next before anything happens, since steps end as they begin. */
    public boolean endsStepsAtOnce() {
        return endsStepsAtOnce;
    }

    /** Which steps keep to one worker. */
    public AffinityRules affinity() {
        return affinity;
    }

    /** Where the step of a key stands, for comparing. */
    public List<Integer> order(StepKey key) {
        return walk(key).order();
    }

    /** Where the step of a key stands; of an iteration or a branch, the step that holds it. */
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
