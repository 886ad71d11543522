package dev.millrace.cli.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Path below {@code /api/v1} with its query. Each part is percent-encoded when it is appended. */
public record ApiPath(String text) {
    /** Begins a path with a fixed collection, for example {@code /runs}. */
    public static ApiPath of(String collection) {
        return new ApiPath(collection);
    }

    /** Appends a name that may contain slashes, such as a run's id or a script's path. */
    public ApiPath child(String name) {
        String encoded = Arrays.stream(name.split("/", -1)).map(ApiPath::encode).collect(Collectors.joining("/"));
        return new ApiPath(text + "/" + encoded);
    }

    /** Appends fixed text, for example {@code :cancel} or {@code /events}. */
    public ApiPath then(String suffix) {
        return new ApiPath(text + suffix);
    }

    public ApiPath with(String parameter, String value) {
        return new ApiPath(text + (text.contains("?") ? "&" : "?") + parameter + "=" + encode(value));
    }

    private static String encode(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
