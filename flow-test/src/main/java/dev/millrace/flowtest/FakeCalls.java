package dev.millrace.flowtest;

import dev.millrace.scheduler.flow.core.machine.StartJob;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The fakes of one simulation, and their calls. */
final class FakeCalls {
    private final Map<String, Fake> fakes;
    private final Function<String, Optional<Fake>> scripts;
    private final Map<String, List<Json>> calls = new LinkedHashMap<>();

    /** @param scripts finds what runs the script with this path */
    FakeCalls(Map<String, Fake> fakes, Function<String, Optional<Fake>> scripts) {
        this.fakes = Map.copyOf(fakes);
        this.scripts = scripts;
    }

    /** The inputs of all attempts, by the name of the fake. */
    Map<String, List<Json>> calls() {
        return calls;
    }

    /**
     * Calls the fake of a step or, if it has none, its script.
     *
     * @throws SimulationStopped if there is neither
     */
    Fake.Answer call(RunId run, StartJob job, int attempt) {
        Map.Entry<String, Fake> fake = names(job)
                .flatMap(name -> Stream.ofNullable(fakes.get(name)).map(found -> Map.entry(name, found)))
                .findFirst()
                .or(() -> script(job))
                .orElseThrow(() -> new SimulationStopped("Step \"" + job.key() + "\" runs " + job.name()
                        + ", for which the test has no fake. Add one under fakes, by the step or by " + job.name()
                        + "."));
        calls.computeIfAbsent(fake.getKey(), _ -> new ArrayList<>()).add(job.input());
        return fake.getValue()
                .call(new Fake.Call(
                        run,
                        job.key(),
                        job.name(),
                        job.input(),
                        attempt,
                        job.options().timeout()));
    }

    private Optional<Map.Entry<String, Fake>> script(StartJob job) {
        return job.target() instanceof JobTarget.Script
                ? scripts.apply(job.name()).map(script -> Map.entry(job.name(), script))
                : Optional.empty();
    }

    /** The names under which the fake of a step may stand, the most exact one first. */
    private static Stream<String> names(StartJob job) {
        String key = job.key().text();
        String ids = key.replaceAll("\\[[^\\]]*\\]", "");
        return Stream.of(key, ids, ids.substring(ids.lastIndexOf('.') + 1), job.name());
    }
}
