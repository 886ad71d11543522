package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.millrace.gateway.json.JsonWriter;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Answers in the usual forms. */
public final class Answers {

    private Answers() {}

    public static HttpResponse json(Consumer<JsonWriter> content) {
        return json(HttpStatus.OK, content);
    }

    public static HttpResponse json(HttpStatus status, Consumer<JsonWriter> content) {
        return HttpResponse.of(headers(status).build(), HttpData.wrap(JsonWriter.object(content)));
    }

    /** An answer about a new resource, with its address in `Location`. */
    public static HttpResponse located(HttpStatus status, String location, Consumer<JsonWriter> content) {
        var headers = headers(status).set(HttpHeaderNames.LOCATION, location).build();
        return HttpResponse.of(headers, HttpData.wrap(JsonWriter.object(content)));
    }

    /** Answers hold data of one caller, which no cache may keep for another. */
    private static ResponseHeadersBuilder headers(HttpStatus status) {
        return ResponseHeaders.builder(status)
                .contentType(MediaType.JSON)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    }

    public static <T> HttpResponse page(List<T> items, String nextPageToken, BiConsumer<JsonWriter, T> item) {
        return json(json -> {
            json.array("items", items, item);
            json.text("next_page_token", nextPageToken);
        });
    }
}
