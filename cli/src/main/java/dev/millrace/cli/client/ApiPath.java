package dev.millrace.cli.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Path of the API with its query. Each part is percent-encoded when it is appended.
 *
 * @param text the path below {@code /api/v1}, or below the workspace
 * @param isShared whether all workspaces share what is at the path
 */
public record ApiPath(String text, boolean isShared) {
    /** Begins a path with a fixed collection of the workspace, for example {@code /runs}. */
    public static ApiPath of(String collection) {
        return new ApiPath(collection, false);
    }

    /** Begins a path with what all workspaces share, for example {@code /workers}. */
    public static ApiPath shared(String collection) {
        return new ApiPath(collection, true);
    }

    /** Appends a name that may contain slashes, such as a run's id or a script's path. */
    public ApiPath child(String name) {
        String encoded = Arrays.stream(name.split("/", -1)).map(ApiPath::encode).collect(Collectors.joining("/"));
        return new ApiPath(text + "/" + encoded, isShared);
    }

    /** Appends a name that has no slashes: the server says so of one that has some, instead of finding nothing. */
    public ApiPath name(String name) {
        return new ApiPath(text + "/" + encode(name), isShared);
    }

    /** Appends fixed text, for example {@code :cancel} or {@code /events}. */
    public ApiPath then(String suffix) {
        return new ApiPath(text + suffix, isShared);
    }

    public ApiPath with(String parameter, String value) {
        return new ApiPath(text + (text.contains("?") ? "&" : "?") + parameter + "=" + encode(value), isShared);
    }

    /** Appends a parameter, unless it is null. */
    public ApiPath withIfGiven(String parameter, @Nullable String value) {
        return value == null ? this : with(parameter, value);
    }

    static String encode(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
