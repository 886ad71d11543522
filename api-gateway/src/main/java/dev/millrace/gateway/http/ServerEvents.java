package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import java.util.Optional;
import java.util.function.Function;

/** Server-sent events, which browsers read with an `EventSource`. */
record ServerEvents<A>(Function<A, ServerEvent> mapping) implements Framing<A> {

    private static final ResponseHeaders HEADERS = ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.EVENT_STREAM)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
            // Asks nginx, if it is in front, not to buffer events.
            .set("x-accel-buffering", "no")
            .build();

    private static final HttpData KEEP_ALIVE = HttpData.ofUtf8(": keep-alive\n\n");

    @Override
    public ResponseHeaders headers() {
        return HEADERS;
    }

    @Override
    public HttpData message(A message) {
        return mapping.apply(message).data();
    }

    @Override
    public Optional<HttpData> keepAlive() {
        return Optional.of(KEEP_ALIVE);
    }

    @Override
    public Optional<HttpData> end() {
        return Optional.of(ServerEvent.END.data());
    }

    @Override
    public Optional<HttpData> failure(byte[] problem) {
        return Optional.of(new ServerEvent("error", problem).data());
    }
}
