package dev.millrace.worker.internal.process;

import java.nio.charset.StandardCharsets;
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

/** Parsing of the lines that a Python or Deno process writes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FrameBenchmark {
    private static final String ID = "01900000-0000-7000-8000-000000000001";

    /** Kind of frame. */
    public enum Kind {
        STARTED("{\"type\":\"started\",\"id\":\"" + ID + "\"}"),
        RESULT("{\"type\":\"result\",\"id\":\"" + ID + "\",\"result\":{\"n\":55}}"),
        LARGE_RESULT("{\"type\":\"result\",\"id\":\"" + ID + "\",\"result\":\"" + "x".repeat(64 << 10) + "\"}"),
        LOG("{\"type\":\"log\",\"id\":\"" + ID + "\",\"stream\":\"stdout\",\"text\":\"counted 55 words\\n\"}");

        private final String line;

        Kind(String line) {
            this.line = line;
        }
    }

    @Param
    private Kind kind;

    private byte[] line;

    @Setup
    public void prepare() {
        line = kind.line.getBytes(StandardCharsets.UTF_8);
    }

    @Benchmark
    public Frame parse() throws ProtocolException {
        return FrameParser.parse(line, 0, line.length);
    }
}
