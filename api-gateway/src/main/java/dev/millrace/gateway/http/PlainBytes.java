package dev.millrace.gateway.http;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.ResponseHeaders;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** The bytes in the messages, and nothing else. The length in the headers tells readers whether they got all. */
record PlainBytes<A>(ResponseHeaders headers, Function<A, ByteString> mapping) implements Framing<A> {

    /** Messages have up to 256 KiB, so a reader holds 1 MiB here. */
    private static final int WINDOW = 4;

    /** A program that reads a file may have to wait for its own disk. */
    private static final Duration STALL_MAX = Duration.ofMinutes(1);

    @Override
    public int window() {
        return WINDOW;
    }

    @Override
    public Duration stallMax() {
        return STALL_MAX;
    }

    @Override
    public HttpData message(A message) {
        return HttpData.wrap(mapping.apply(message).toByteArray());
    }

    @Override
    public Optional<HttpData> keepAlive() {
        return Optional.empty();
    }

    @Override
    public Optional<HttpData> end() {
        return Optional.empty();
    }

    @Override
    public Optional<HttpData> failure(byte[] problem) {
        return Optional.empty();
    }
}
