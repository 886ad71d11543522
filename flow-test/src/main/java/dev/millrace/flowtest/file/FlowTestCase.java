package dev.millrace.flowtest.file;

import dev.millrace.flowtest.SentSignal;
import dev.millrace.flowtest.script.NamedValues;
import dev.millrace.scheduler.queue.core.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * One test of a file.
 *
 * @param line where it stands, from 1
 * @param values the secrets and resources that scripts get
 * @param seed of the random parts of delays
 * @param begin when the run begins by its virtual clock
 */
public record FlowTestCase(
        String name,
        int line,
        Json input,
        Map<String, WrittenFake> fakes,
        NamedValues values,
        List<SentSignal> signals,
        long seed,
        Instant begin,
        Expectation expectation) {
    public FlowTestCase {
        fakes = Map.copyOf(fakes);
        signals = List.copyOf(signals);
    }
}
