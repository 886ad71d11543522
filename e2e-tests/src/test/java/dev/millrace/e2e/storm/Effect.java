package dev.millrace.e2e.storm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One line that an attempt wrote to the file of its run, see {@code step.py}.
 *
 * @param what {@code begin} or {@code end}
 * @param nonce number that each execution of a step's code chooses
 * @param time by the clock of this machine, which also the logs of the services show
 * @param worker name of the worker whose process wrote the line
 */
record Effect(String what, String step, int attempt, String nonce, String job, Instant time, String worker) {
    private static final int FIELDS = 7;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** The effects in the files of this folder, by job, in the order in which each run's were written. */
    static Map<String, List<Effect>> in(Path folder) throws IOException {
        var effects = new HashMap<String, List<Effect>>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                for (String line : Files.readAllLines(file)) {
                    Effect effect = read(line);
                    effects.computeIfAbsent(effect.job, _ -> new ArrayList<>()).add(effect);
                }
            }
        }
        return effects;
    }

    private static Effect read(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalStateException("This is no line of a step: " + line);
        }
        long nanos = Long.parseLong(fields[5]);
        return new Effect(
                fields[0],
                fields[1],
                Integer.parseInt(fields[2]),
                fields[3],
                fields[4],
                Instant.ofEpochSecond(nanos / NANOS_PER_SECOND, nanos % NANOS_PER_SECOND),
                fields[6]);
    }

    boolean isBegin() {
        return what.equals("begin");
    }
}
