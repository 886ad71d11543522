package dev.millrace.e2e.contract;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.contract.Operation;
import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.EventStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Calls operations by their ids in the OpenAPI document, at the addresses that the document gives. */
final class Calls {
    private static final Pattern PARAMETER = Pattern.compile("\\{([^}]+)}");

    private final Api api;
    private final Map<String, Operation> operations;
    private final String workspace;

    Calls(Api api) {
        this(api, "default");
    }

    private Calls(Api api, String workspace) {
        this.api = api;
        this.workspace = workspace;
        this.operations = api.contract().operations().stream()
                .collect(Collectors.toMap(Operation::id, operation -> operation, (shortAddress, _) -> shortAddress));
    }

    /** The same calls in another workspace. */
    Calls in(String other) {
        return new Calls(api, other);
    }

    /** Calls an operation that needs no body and no value in its path, and checks that it succeeds. */
    JsonNode ok(String id) {
        return ok(id, "", null, "");
    }

    /** Calls an operation on one resource, and checks that it succeeds. */
    JsonNode ok(String id, String thing) {
        return ok(id, thing, null, "");
    }

    JsonNode ok(String id, String thing, Object body) {
        return ok(id, thing, body, "");
    }

    JsonNode ok(String id, String thing, @Nullable Object body, String query) {
        return call(id, thing, body, query).ok();
    }

    /**
     * Calls an operation.
     *
     * @param thing value of the only parameter in the path, such as an id
     * @param query with its question mark, or empty
     */
    Answer call(String id, String thing, @Nullable Object body, String query) {
        String path = path(id, thing) + query;
        return switch (operation(id).method()) {
            case "GET" -> api.get(path);
            case "HEAD" -> api.head(path);
            case "DELETE" -> api.delete(path);
            case "PUT", "PATCH" -> api.write(operation(id).method(), path, requireNonNull(body));
            default -> body == null ? api.postText(path, "") : api.post(path, body);
        };
    }

    /** Reads from an operation with further headers. */
    Answer get(String id, String thing, String... headers) {
        return api.get(path(id, thing), headers);
    }

    /** Posts to an operation as the owner of a token, or with other headers. */
    Answer post(String id, Object body, String... headers) {
        return api.post(path(id, ""), body, headers);
    }

    /** Posts a form to an operation. */
    Answer form(String id, Map<String, String> fields, String... headers) {
        return api.postForm(path(id, ""), fields, headers);
    }

    /** Opens the event stream of an operation with all of its flags set. */
    EventStream follow(String id, String thing) {
        return api.follow(path(id, thing) + flags(id));
    }

    /** Opens the event stream of an operation with this query. */
    EventStream follow(String id, String thing, String query) {
        return api.follow(path(id, thing) + query);
    }

    /** The query that sets all flags of an operation. */
    String flags(String id) {
        return operation(id).query().entrySet().stream()
                .filter(parameter -> parameter.getValue().path("type").asText().equals("boolean"))
                .map(parameter -> parameter.getKey() + "=true")
                .collect(Collectors.joining("&", "?", ""));
    }

    private String path(String id, String thing) {
        Matcher parameters = PARAMETER.matcher(operation(id).path());
        return parameters.replaceAll(parameter -> Matcher.quoteReplacement(
                switch (parameter.group(1)) {
                    case "workspace" -> workspace;
                    case "kind" -> "webhook";
                    default -> URLEncoder.encode(thing, StandardCharsets.UTF_8).replace("%2F", "/");
                }));
    }

    private Operation operation(String id) {
        Operation operation = operations.get(id);
        if (operation == null) {
            throw new AssertionError("The document has no operation " + id + ".");
        }
        return operation;
    }
}
