package dev.millrace.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One method on one path of the document, with all references resolved except those inside schemas.
 *
 * @param rpc name of the RPC that serves it: the extension {@code x-rpc}, otherwise the id in upper case; empty if
 *     the gateway answers by itself
 * @param path template, for example {@code /api/v1/runs/{id}}
 * @param query schemas of the query parameters by name
 * @param headers schemas of the header parameters by name in lower case
 * @param body content of a request; absent if requests have no body
 * @param answers answers by status; {@code default} is the answer for all other statuses of failures
 */
public record Operation(
        String id,
        String rpc,
        String method,
        String path,
        Map<String, JsonNode> query,
        Map<String, JsonNode> headers,
        Optional<Body> body,
        Map<String, Answer> answers) {

    /** Content of a request: its schema by content type. */
    public record Body(boolean required, Map<String, Content> content) {}

    /** One answer: schemas of its headers by name in lower case, and its content by content type. */
    public record Answer(Map<String, JsonNode> headers, Map<String, Content> content) {}

    /** Content of any type. */
    static final String ANY_TYPE = "*/*";

    /** The content of this type, or of any; null if there is none. */
    static @Nullable Content find(Map<String, Content> content, String type) {
        Content found = content.get(type);
        return found == null ? content.get(ANY_TYPE) : found;
    }

    /**
     * One content type: its schema, its examples, and for an event stream the schema of the data of each event, by
     * event name.
     */
    public record Content(JsonNode schema, List<JsonNode> examples, Map<String, JsonNode> events) {}

    static Operation of(Document document, String method, String path, JsonNode node) {
        var query = new LinkedHashMap<String, JsonNode>();
        var headers = new TreeMap<String, JsonNode>(String.CASE_INSENSITIVE_ORDER);
        for (JsonNode reference : node.path("parameters")) {
            JsonNode parameter = document.resolve(reference);
            String name = parameter.path("name").asText();
            switch (parameter.path("in").asText()) {
                case "query" -> query.put(name, parameter.path("schema"));
                case "header" -> headers.put(name, parameter.path("schema"));
                default -> {}
            }
        }
        var answers = new TreeMap<String, Answer>();
        node.path("responses").properties().forEach(entry -> {
            JsonNode answer = document.resolve(entry.getValue());
            var names = new TreeMap<String, JsonNode>(String.CASE_INSENSITIVE_ORDER);
            answer.path("headers")
                    .properties()
                    .forEach(header -> names.put(
                            header.getKey(), document.resolve(header.getValue()).path("schema")));
            answers.put(entry.getKey(), new Answer(names, content(answer)));
        });
        JsonNode body = document.resolve(node.path("requestBody"));
        String id = node.path("operationId").asText();
        return new Operation(
                id,
                node.path("x-rpc").asText(Character.toUpperCase(id.charAt(0)) + id.substring(1)),
                method,
                path,
                query,
                headers,
                body.isMissingNode()
                        ? Optional.empty()
                        : Optional.of(new Body(body.path("required").asBoolean(), content(body))),
                answers);
    }

    /** The answer for a status. A success needs an answer of its own; a failure may have the common answer. */
    public Optional<Answer> answer(int status) {
        Answer own = answers.get(Integer.toString(status));
        return Optional.ofNullable(own != null || status < 400 ? own : answers.get("default"));
    }

    /**
     * Names of the successes with their content types, for example {@code getRun 200 application/json}; a success
     * without content has the name {@code deleteTrust 204}.
     */
    List<String> successes() {
        var names = new TreeSet<String>();
        answers.forEach((status, answer) -> {
            if (status.startsWith("2")) {
                answer.content().keySet().forEach(type -> names.add(success(status, type)));
                if (answer.content().isEmpty()) {
                    names.add(success(status, ""));
                }
            }
        });
        return new ArrayList<>(names);
    }

    /** Name of a success; the content type is empty if there is no content. */
    String success(String status, String type) {
        Answer answer = answers.get(status);
        boolean isOfAnyType = answer != null
                && answer.content().containsKey(ANY_TYPE)
                && !answer.content().containsKey(type);
        return (id + " " + status + " " + (isOfAnyType ? ANY_TYPE : type)).strip();
    }

    private static Map<String, Content> content(JsonNode node) {
        var content = new LinkedHashMap<String, Content>();
        node.path("content").properties().forEach(entry -> {
            JsonNode type = entry.getValue();
            var examples = new ArrayList<JsonNode>();
            if (type.has("example")) {
                examples.add(type.path("example"));
            }
            type.path("examples").forEach(example -> examples.add(example.path("value")));
            var events = type.path("x-events").properties().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            content.put(entry.getKey(), new Content(type.path("schema"), examples, events));
        });
        return content;
    }
}
