package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a flow means, written as plainly as possible and only for tests: after every event it walks the whole definition anew with
 * nothing in hand but the outcomes of jobs. Slow, and shares no code with the machine but the resolution of templates.
 */
final class ReferenceInterpreter {
    private final FlowDefinition flow;
    private final JsonValue input;
    private final Map<String, Outcome> outcomes = new HashMap<>();
    private final TreeSet<String> live = new TreeSet<>();
    private boolean failing;

    /** Jobs that begin now, with their inputs. */
    private final Map<String, String> beginning = new LinkedHashMap<>();
    /** Keys of everything that failed. */
    private final TreeSet<String> failed = new TreeSet<>();
    /** Containers that have ended, with their results. */
    private final TreeMap<String, String> ended = new TreeMap<>();

    ReferenceInterpreter(FlowDefinition flow, String input) {
        this.flow = flow;
        this.input = JsonValue.of(input);
    }

    /** What follows an event. */
    record Expectation(
            Map<String, String> jobs,
            TreeMap<String, String> ended,
            TreeSet<String> failed,
            Optional<String> output,
            boolean fails) {}

    Expectation started() {
        return walk();
    }

    Expectation stepEnded(String key, Outcome outcome) {
        live.remove(key);
        outcomes.put(key, outcome);
        return walk();
    }

    private Expectation walk() {
        beginning.clear();
        ended.clear();
        Env env = new Env(flow.steps(), null, "", null, -1, new HashMap<>());
        Optional<JsonValue> result = list(env);
        boolean done = result.isPresent();
        Optional<JsonValue> output = done ? output(env, "") : Optional.empty();
        failing |= !failed.isEmpty();
        if (failing) {
            beginning.clear();
        }
        live.addAll(beginning.keySet());
        return new Expectation(
                new LinkedHashMap<>(beginning),
                new TreeMap<>(ended),
                new TreeSet<>(failed),
                failing ? Optional.empty() : output.map(JsonValue::toString),
                failing && live.isEmpty());
    }

    /** One list while it is walked. */
    private final class Env implements Scope {
        final StepList list;
        final @Nullable Env outer;
        final String prefix;
        final @Nullable JsonValue item;
        final int index;
        final Map<String, JsonValue> results;

        Env(
                StepList list,
                @Nullable Env outer,
                String prefix,
                @Nullable JsonValue item,
                int index,
                Map<String, JsonValue> results) {
            this.list = list;
            this.outer = outer;
            this.prefix = prefix;
            this.item = item;
            this.index = index;
            this.results = results;
        }

        @Override
        public JsonValue inputs() {
            return input;
        }

        @Override
        public JsonValue stepResult(String id) {
            JsonValue result = results.get(id);
            if (result != null) {
                return result;
            }
            if (outer == null) {
                throw new AssertionError("no result of " + id);
            }
            return outer.stepResult(id);
        }

        @Override
        public JsonValue item() {
            if (item != null) {
                return item;
            }
            if (outer == null) {
                throw new AssertionError("no loop");
            }
            return outer.item();
        }

        @Override
        public int index() {
            if (item != null) {
                return index;
            }
            if (outer == null) {
                throw new AssertionError("no loop");
            }
            return outer.index();
        }

        @Override
        public Optional<JsonValue> findStepResult(String id) {
            JsonValue result = results.get(id);
            return result != null || outer == null ? Optional.ofNullable(result) : outer.findStepResult(id);
        }

        @Override
        public Optional<JsonValue> item(int outward) {
            throw new AssertionError("random flows do not look further out");
        }

        @Override
        public int index(int outward) {
            throw new AssertionError("random flows do not look further out");
        }

        @Override
        public JsonValue variables() {
            return JsonValue.EMPTY_OBJECT;
        }

        @Override
        public Optional<JsonValue> result() {
            return Optional.empty();
        }

        @Override
        public Optional<JsonValue> error() {
            return Optional.empty();
        }

        @Override
        public String runId() {
            return Flows.RUN.toString();
        }
    }

    /** Walks a list until nothing more happens; present once all steps have ended well. */
    private Optional<JsonValue> list(Env env) {
        TreeSet<String> walked = new TreeSet<>();
        boolean moved = true;
        while (moved) {
            moved = false;
            for (Step step : env.list.steps()) {
                if (!walked.contains(step.id()) && env.results.keySet().containsAll(step.needs())) {
                    walked.add(step.id());
                    String key = env.prefix.isEmpty() ? step.id() : env.prefix + "." + step.id();
                    step(step, key, env).ifPresent(result -> env.results.put(step.id(), result));
                    moved = true;
                }
            }
        }
        return env.results.size() == env.list.steps().size() ? Optional.of(JsonValue.NULL) : Optional.empty();
    }

    private Optional<JsonValue> output(Env env, String key) {
        if (env.list.output().isPresent()) {
            return resolve(env.list.output().get(), env, key);
        }
        List<Step> steps = env.list.steps();
        return Optional.of(
                steps.isEmpty()
                        ? JsonValue.NULL
                        : env.stepResult(steps.getLast().id()));
    }

    private Optional<JsonValue> step(Step step, String key, Env env) {
        return switch (step.action()) {
            case StepAction.Task task -> task(task, key, env);
            case StepAction.ForEach loop -> note(key, loop(loop, key, env));
            case StepAction.Switch choice -> note(key, choice(choice, key, env));
            case StepAction.While _,
                    StepAction.Parallel _,
                    StepAction.SubFlow _,
                    StepAction.StartRun _,
                    StepAction.Compute _,
                    StepAction.SetVariables _,
                    StepAction.Terminate _,
                    StepAction.Wait _ -> throw new AssertionError("no such action in random flows");
        };
    }

    private Optional<JsonValue> note(String key, Optional<JsonValue> result) {
        result.ifPresent(value -> ended.put(key, value.toString()));
        return result;
    }

    private Optional<JsonValue> task(StepAction.Task task, String key, Env env) {
        Outcome outcome = outcomes.get(key);
        if (outcome == null) {
            if (!live.contains(key)) {
                resolve(task.input(), env, key).ifPresent(value -> beginning.put(key, value.toString()));
            }
            return Optional.empty();
        }
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> Optional.of(JsonValue.of(succeeded.result()));
            case Outcome.Skipped skipped -> Optional.of(JsonValue.of(skipped.result()));
            case Outcome.Failed _ -> fail(key);
            case Outcome.Canceled _ -> fail(key);
        };
    }

    private Optional<JsonValue> loop(StepAction.ForEach loop, String key, Env env) {
        Optional<JsonValue> items = resolve(loop.items(), env, key);
        if (items.isEmpty() || items.get().kind() != JsonValue.Kind.ARRAY) {
            return fail(key);
        }
        StringBuilder results = new StringBuilder();
        int inProgress = 0;
        boolean broken = false;
        for (int i = 0; i < items.get().elements().size() && inProgress < loop.parallelism(); i++) {
            String prefix = key + "[" + i + "]";
            Env inner = new Env(loop.body(), env, prefix, items.get().elements().get(i), i, new HashMap<>());
            Optional<JsonValue> result = loop.single()
                    ? step(loop.body().steps().getFirst(), prefix, inner)
                    : list(inner).flatMap(_ -> output(inner, key));
            if (result.isEmpty()) {
                inProgress++;
            } else {
                results.append(results.isEmpty() ? "" : ",").append(result.get());
            }
            broken |= failed.contains(key);
        }
        return inProgress > 0 || broken ? Optional.empty() : Optional.of(JsonValue.of("[" + results + "]"));
    }

    private Optional<JsonValue> choice(StepAction.Switch choice, String key, Env env) {
        Optional<JsonValue> value =
                choice.value().isPresent() ? resolve(choice.value().get(), env, key) : Optional.of(JsonValue.NULL);
        for (StepAction.Case branch : choice.cases()) {
            if (value.isEmpty()) {
                return Optional.empty();
            }
            boolean taken = switch (branch.test()) {
                case StepAction.Test.Equals equals ->
                    resolve(equals.expected(), env, key)
                            .filter(value.get()::sameAs)
                            .isPresent();
                case StepAction.Test.When when ->
                    resolve(when.condition(), env, key)
                            .filter(JsonValue::isTruthy)
                            .isPresent();
            };
            if (failed.contains(key)) {
                return Optional.empty();
            }
            if (taken) {
                return branch(branch.steps(), key, env);
            }
        }
        if (value.isEmpty()) {
            return Optional.empty();
        }
        return choice.otherwise().isPresent()
                ? branch(choice.otherwise().get(), key, env)
                : Optional.of(JsonValue.NULL);
    }

    private Optional<JsonValue> branch(StepList branch, String key, Env env) {
        Env inner = new Env(branch, env, key, null, -1, new HashMap<>());
        return list(inner).flatMap(_ -> output(inner, key));
    }

    private Optional<JsonValue> resolve(Template template, Env env, String key) {
        return switch (template.resolve(env, FlowLimits.PAYLOAD_BYTES_MAX_DEFAULT)) {
            case Resolution.Resolved resolved -> Optional.of(resolved.value());
            case Resolution.Unresolved _ -> fail(key);
        };
    }

    private Optional<JsonValue> fail(String key) {
        failed.add(key);
        return Optional.empty();
    }
}
