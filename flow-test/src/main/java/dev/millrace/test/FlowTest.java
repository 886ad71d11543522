package dev.millrace.test;

import static java.util.Objects.requireNonNull;

import dev.millrace.flowtest.Fake;
import dev.millrace.flowtest.FlowFolder;
import dev.millrace.flowtest.SentSignal;
import dev.millrace.flowtest.Simulation;
import dev.millrace.flowtest.SimulationResult;
import dev.millrace.flowtest.SimulationStopped;
import dev.millrace.flowtest.StepScripts;
import dev.millrace.flowtest.script.NamedValues;
import dev.millrace.flowtest.script.ScriptCode;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.worker.JobException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs a flow in a test: with the machine of the scheduler, in virtual time, and with fakes as steps. A step without a
 * fake runs its script, if its file is beside the flow, in a real process. It needs no server, no database and no worker.
 *
 * <pre>{@code
 * FlowResult result = FlowTest.of(Path.of("flows/order.yaml"))
 *         .fake("reserve.py", input -> Map.of("id", "R-" + input.get("item").textValue()))
 *         .returning("ship.py", "parcel")
 *         .signal("payment", Duration.ofDays(2), Map.of("method", "card"))
 *         .run(Map.of("item", "lamp"));
 * assertEquals("parcel", result.output().get("parcel").textValue());
 * }</pre>
 *
 * <p>A fake is named by the key of its step ({@code count[3].tokenize}), the key without iterations, the id of the step,
 * or the path of the script or name of the handler. Not thread-safe.
 */
public final class FlowTest {
    private final Path file;
    private final Map<String, Fake> fakes = new LinkedHashMap<>();
    private final Map<String, String> secrets = new LinkedHashMap<>();
    private final Map<String, Json> resources = new LinkedHashMap<>();
    private final List<SentSignal> signals = new ArrayList<>();
    private Instant begin = Simulation.BEGIN;
    private long seed = 1;

    private FlowTest(Path file) {
        this.file = requireNonNull(file, "file");
    }

    /**
     * Begins a test.
     *
     * @param file the definition, in any dialect. Flows that it names by path lie in the same folder.
     */
    public static FlowTest of(Path file) {
        return new FlowTest(file);
    }

    /** Lets a step return this value, which Jackson writes as JSON. Replaces an earlier fake of this name. */
    public FlowTest returning(String name, @Nullable Object result) {
        return put(
                name, Fake.returning(TestJson.write(result, "result of " + name).text()));
    }

    /** Lets a step do this. Replaces an earlier fake of this name. */
    public FlowTest fake(String name, StepFunction function) {
        requireNonNull(function, "function");
        return put(name, call -> answer(name, function, call));
    }

    /** Lets a step run the script in a file, in a real process. Replaces an earlier fake of this name. */
    public FlowTest script(String name, Path script) {
        return put(
                name,
                call -> new StepScripts(SharedScripts.HOST, values())
                        .running(ScriptCode.read(script))
                        .call(call));
    }

    /** Lets each attempt of a step fail. Replaces an earlier fake of this name. */
    public FlowTest failing(String name, String error, String message) {
        return put(name, Fake.failing(error, message));
    }

    /** Lets the first attempts of each job fail, before the fake of this name does its work. */
    public FlowTest failingFirst(String name, int attempts, String error, String message) {
        return put(name, existing(name).failingFirst(attempts, error, message));
    }

    /** Lets each attempt of the fake of this name take virtual time; beyond the timeout of the step, it times out. */
    public FlowTest taking(String name, Duration time) {
        return put(name, existing(name).taking(time));
    }

    /** Gives scripts a secret, in inputs that refer to it and where they ask for it. */
    public FlowTest secret(String path, String text) {
        secrets.put(requireNonNull(path, "path"), requireNonNull(text, "text"));
        return this;
    }

    /** Gives scripts a resource, which Jackson writes as JSON. */
    public FlowTest resource(String path, @Nullable Object value) {
        resources.put(requireNonNull(path, "path"), TestJson.write(value, "resource " + path));
        return this;
    }

    private NamedValues values() {
        return new NamedValues(secrets, resources);
    }

    /** Sends a signal as soon as a step waits for it and nothing else happens at that moment. */
    public FlowTest signal(String name, @Nullable Object payload) {
        return send(Optional.empty(), new SentSignal.Target.Name(name), payload, false, "");
    }

    /** Sends a signal at a virtual time after the begin of the run. */
    public FlowTest signal(String name, Duration at, @Nullable Object payload) {
        return send(Optional.of(at), new SentSignal.Target.Name(name), payload, false, "");
    }

    /** Approves or completes a step as soon as it waits for people. */
    public FlowTest approve(String step, String person, @Nullable Object payload) {
        return send(Optional.empty(), new SentSignal.Target.Step(step), payload, false, person);
    }

    /** Denies a step as soon as it waits for people. */
    public FlowTest deny(String step, String person, @Nullable Object payload) {
        return send(Optional.empty(), new SentSignal.Target.Step(step), payload, true, person);
    }

    /** When the run begins by its virtual clock; 2026-01-01T00:00:00Z by default. */
    public FlowTest begin(Instant time) {
        this.begin = requireNonNull(time, "time");
        return this;
    }

    /** Seed of random delays: the same seed gives the same test. */
    public FlowTest seed(long number) {
        this.seed = number;
        return this;
    }

    /**
     * Runs the flow to its end. May be called several times.
     *
     * @param input a record, a map or another value that Jackson writes as a JSON object; null for none
     * @throws AssertionError if the flow has errors or refuses the input, a step has neither a fake nor a script, no step has waited for a
     *     signal, or the run waits for what never comes
     */
    public FlowResult run(@Nullable Object input) {
        StepScripts scripts = new StepScripts(SharedScripts.HOST, values());
        FlowFolder folder = new FlowFolder(file.toAbsolutePath().resolveSibling(""));
        try {
            SimulationResult result = new Simulation(folder, fakes, scripts, seed, begin)
                    .run(
                            folder.read(String.valueOf(file.getFileName())),
                            TestJson.write(input == null ? Map.of() : input, "input"),
                            signals);
            if (!result.unsent().isEmpty()) {
                throw new AssertionError(result.unsentSentence(result.unsent().getFirst()));
            }
            return new FlowResult(result);
        } catch (SimulationStopped stopped) {
            throw new AssertionError(stopped.sentence(), stopped);
        }
    }

    private FlowTest put(String name, Fake fake) {
        fakes.put(requireNonNull(name, "name"), fake);
        return this;
    }

    private Fake existing(String name) {
        Fake fake = fakes.get(name);
        if (fake == null) {
            throw new IllegalStateException("There is no fake \"" + name + "\" yet: call fake or returning first.");
        }
        return fake;
    }

    private FlowTest send(
            Optional<Duration> at, SentSignal.Target target, @Nullable Object payload, boolean denies, String by) {
        signals.add(new SentSignal(at, target, TestJson.write(payload, "payload"), denies, by));
        return this;
    }

    private static Fake.Answer answer(String name, StepFunction function, Fake.Call call) {
        try {
            return Fake.Answer.of(TestJson.write(function.call(TestJson.read(call.input())), "result of " + name));
        } catch (JobException failure) {
            JobError error =
                    new JobError(failure.name(), String.valueOf(failure.getMessage()), "", failure.isRetryable());
            return new Fake.Answer(new AttemptResult.Failed(error), Duration.ZERO);
        } catch (Exception failure) {
            return Fake.Answer.failure(failure.getClass().getSimpleName(), String.valueOf(failure.getMessage()));
        }
    }
}
