package dev.millrace.gateway.http;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import java.util.Optional;
import java.util.function.Function;

/** One JSON object a line, for programs. */
record JsonLines<A>(Function<A, ByteString> mapping) implements Framing<A> {

    private static final ByteString LINE_END = ByteString.copyFromUtf8("\n");

    private static final ResponseHeaders HEADERS = ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.create("application", "jsonl"))
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .build();

    @Override
    public ResponseHeaders headers() {
        return HEADERS;
    }

    @Override
    public HttpData message(A message) {
        return HttpData.wrap(mapping.apply(message).concat(LINE_END).toByteArray());
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
