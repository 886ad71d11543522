package dev.millrace.worker.internal.secret.core;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Search for secrets in 1 MB of a log, in pieces as scripts print it: operations per second are MB/s. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MaskingBenchmark {
    private static final int BYTES = 1_000_000;
    private static final int PIECE_BYTES = 8_000;

    @Param({"1", "20", "200"})
    private int secrets;

    private PatternTree tree;
    private byte[][] log;
    private TreeSet<String> values;

    @Setup
    public void prepare() throws TooManyPatternsException {
        Random random = new Random(1);
        values = new TreeSet<>();
        while (values.size() < secrets) {
            values.add(random.ints(40, '!', '~')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString());
        }
        tree = build();
        StringBuilder text = new StringBuilder();
        while (text.length() < BYTES) {
            text.append("2026-11-24T18:46:30Z INFO shop.orders Order ")
                    .append(random.nextInt())
                    .append(" {\"total\": 12.5}\n");
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        log = new byte[BYTES / PIECE_BYTES][];
        for (int i = 0; i < log.length; i++) {
            log[i] = Arrays.copyOfRange(bytes, i * PIECE_BYTES, (i + 1) * PIECE_BYTES);
        }
    }

    @Benchmark
    public int mask() {
        MaskedStream stream = new MaskedStream(tree);
        int length = 0;
        for (byte[] piece : log) {
            length += stream.add(piece).length;
        }
        return length;
    }

    /** Build of the patterns, once for each process. */
    @Benchmark
    public PatternTree build() throws TooManyPatternsException {
        return new PatternTree(SecretPatterns.of(values, 16 << 20));
    }
}
