package dev.millrace.flowtest;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.text.Durations;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;

/**
 * Runs a flow to its end, with the machine that the scheduler uses, in one thread and in virtual time. The same
 * simulation always happens in the same order. Can be run once.
 */
public final class Simulation {
    /** When simulated runs begin, unless a test says otherwise. */
    public static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    /** Most runs of one simulation. */
    static final int RUNS_MAX = 10_000;

    private final FlowFolder folder;
    private final FakeCalls fakes;
    private final VirtualTime time;
    private final RandomGenerator random;
    private final IdSource ids;
    private final List<SentSignal> unsent = new ArrayList<>();
    private final List<SimulatedRun> runs = new ArrayList<>();
    private final List<SimulationResult.Started> started = new ArrayList<>();

    /**
     * Creates a simulation.
     *
     * @param folder where the flows lie that the flow starts as runs of their own
     * @param fakes what steps do, by key, by key without iterations, by id, or by path of a script or name of a handler
     * @param scripts runs the scripts of steps without a fake
     * @param seed of the random parts of delays before retries
     * @param begin when the run begins by its virtual clock
     */
    public Simulation(FlowFolder folder, Map<String, Fake> fakes, StepScripts scripts, long seed, Instant begin) {
        this.folder = requireNonNull(folder, "folder");
        requireNonNull(scripts, "scripts");
        this.fakes = new FakeCalls(fakes, path -> folder.code(path).map(scripts::running));
        this.time = new VirtualTime(begin);
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        this.ids = new IdSource(() -> time.now().toEpochMilli(), random);
    }

    /**
     * Runs the flow.
     *
     * @throws SimulationStopped if the input is refused, a step has no fake, the run waits for what never comes, or it
     *     reaches a limit
     */
    public SimulationResult run(FlowUnderTest flow, Json input, List<SentSignal> signals) {
        SimulatedRun run = begin(flow, input, Optional.empty(), false);
        for (SentSignal signal : signals) {
            signal.at().ifPresentOrElse(at -> time.after(at, () -> send(signal)), () -> unsent.add(signal));
        }
        while (run.end().isEmpty()) {
            boolean goesOn = time.isBusy() || !sendAwaited();
            if (goesOn && !time.advance()) {
                throw new SimulationStopped(stuck());
            }
        }
        Outcome end = run.end().get();
        return new SimulationResult(
                end,
                time.elapsed(),
                run.steps(),
                fakes.calls(),
                started,
                unsent,
                run.waits().asked());
    }

    VirtualTime time() {
        return time;
    }

    FakeCalls fakes() {
        return fakes;
    }

    RandomGenerator random() {
        return random;
    }

    IdSource ids() {
        return ids;
    }

    /** Begins a run whose flow may be missing: then it is only noted. */
    void start(String path, Json input, boolean isFailureRun) {
        started.add(new SimulationResult.Started(path, input));
        folder.find(path).ifPresent(flow -> begin(flow, input, Optional.empty(), isFailureRun));
    }

    /**
     * Begins a run for which a step waits.
     *
     * @throws SimulationStopped if there is no such flow, or it refuses the input
     */
    SimulatedRun startAwaited(String path, Json input, SimulatedRun.Parent parent) {
        FlowUnderTest flow = folder.find(path)
                .orElseThrow(() -> new SimulationStopped("Step \"" + parent.step() + "\" runs the flow \"" + path
                        + "\", which is not in the folder of the test. Put it there as " + path + ".yaml."));
        return begin(flow, input, Optional.of(parent), false);
    }

    private SimulatedRun begin(
            FlowUnderTest flow, Json input, Optional<SimulatedRun.Parent> parent, boolean isFailureRun) {
        if (runs.size() >= RUNS_MAX) {
            throw new SimulationStopped("The flow has started " + RUNS_MAX
                    + " runs, the limit of a test (RUNS_MAX). Does it start itself without end?");
        }
        Json accepted = switch (flow.inputs().check(input)) {
            case RunInput.Accepted(Json complete) -> complete;
            case RunInput.Refused(List<RunInput.Problem> problems) ->
                throw new SimulationStopped("The flow \"" + flow.path() + "\" refuses its input. "
                        + problems.stream()
                                .map(problem -> problem.message() + " " + problem.remedy())
                                .collect(Collectors.joining(" ")));
        };
        SimulatedRun run = new SimulatedRun(this, flow, accepted, parent, isFailureRun);
        runs.add(run);
        run.begin();
        return run;
    }

    /** Sends the first signal without a time for which a step waits. Returns whether there was one. */
    private boolean sendAwaited() {
        for (SentSignal signal : unsent) {
            for (SimulatedRun run : runs) {
                if (run.waits().awaits(signal)) {
                    unsent.remove(signal);
                    run.receive(signal);
                    return true;
                }
            }
        }
        return false;
    }

    private void send(SentSignal signal) {
        runs.stream()
                .filter(run -> run.waits().awaits(signal))
                .findFirst()
                .orElse(runs.getFirst())
                .receive(signal);
    }

    private String stuck() {
        String waits = runs.stream()
                .flatMap(run -> run.openSteps().stream())
                .map(open -> "\n  " + open)
                .collect(Collectors.joining());
        return "The run waits for what never comes, after " + Durations.text(time.elapsed())
                + " of virtual time. It waits here:" + waits + "\nSend it under signals.";
    }
}
