package dev.millrace.flowtest;

import dev.millrace.scheduler.flow.core.machine.StartJob;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The fakes of one simulation, and their calls. */
final class FakeCalls {
    private final Map<String, Fake> fakes;
    private final Map<String, List<Json>> calls = new LinkedHashMap<>();

    FakeCalls(Map<String, Fake> fakes) {
        this.fakes = Map.copyOf(fakes);
    }

    /** The inputs of all attempts, by the name of the fake. */
    Map<String, List<Json>> calls() {
        return calls;
    }

    /**
     * Calls the fake of a step.
     *
     * @throws SimulationStopped if there is none
     */
    Fake.Answer call(RunId run, StartJob job, int attempt) {
        Map.Entry<String, Fake> fake = names(job)
                .flatMap(name -> Stream.ofNullable(fakes.get(name)).map(found -> Map.entry(name, found)))
                .findFirst()
                .orElseThrow(() -> new SimulationStopped("Step \"" + job.key() + "\" runs " + job.name()
                        + ", for which the test has no fake. Add one under fakes, by the step or by " + job.name()
                        + "."));
        calls.computeIfAbsent(fake.getKey(), _ -> new ArrayList<>()).add(job.input());
        return fake.getValue().call(new Fake.Call(run, job.key(), job.name(), job.input(), attempt));
    }

    /** The names under which the fake of a step may stand, the most exact one first. */
    private static Stream<String> names(StartJob job) {
        String key = job.key().text();
        String ids = key.replaceAll("\\[[^\\]]*\\]", "");
        return Stream.of(key, ids, ids.substring(ids.lastIndexOf('.') + 1), job.name());
    }
}
