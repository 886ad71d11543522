package dev.millrace.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares an exchange with the operation to which it belongs. A request is checked only if the gateway accepted it,
 * with one exception: the document must also reject everything that the gateway rejects as unknown.
 */
final class ExchangeCheck {
    static final String EVENT_STREAM = "text/event-stream";
    private static final int SHOWN_LENGTH_MAX = 2_000;
    private static final String PROBLEM = "application/problem+json";

    /** Pages for people and the document itself, which are not part of the interface. */
    private static final Pattern PAGES =
            Pattern.compile("/|/docs(/[^/]*)?|/login(/[^/]*)?|/device|/api/v1/docs(/[^/]*)?|/api/v1/openapi\\.yaml");

    private final Schemas schemas;
    private final JsonNode problem;
    /** Headers that have a meaning in some request. */
    private final Set<String> requestHeaders = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    private final Set<String> answerHeaders = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    ExchangeCheck(List<Operation> operations, Schemas schemas, Document document) {
        this.schemas = schemas;
        this.problem = document.schemas().path("Problem");
        for (Operation operation : operations) {
            requestHeaders.addAll(operation.headers().keySet());
            operation
                    .answers()
                    .values()
                    .forEach(answer -> answerHeaders.addAll(answer.headers().keySet()));
        }
    }

    List<String> check(Optional<Operation> operation, Exchange exchange) {
        var problems = new ArrayList<String>();
        if (operation.isPresent()) {
            checkAnswer(operation.get(), exchange, problems);
            checkRequest(operation.get(), exchange, problems);
        } else if (!PAGES.matcher(exchange.uri().getPath()).matches()) {
            checkElsewhere(exchange, problems);
        }
        return problems;
    }

    List<String> checkEvent(Operation operation, String event, String data) {
        var answer = operation.answers().get("200");
        var stream = answer == null ? null : answer.content().get(EVENT_STREAM);
        if (stream == null) {
            return List.of("the operation has no event stream");
        }
        JsonNode schema = stream.events().get(event);
        if (schema == null) {
            return List.of("the event " + event + " is not described");
        }
        return checkAnsweredJson(schema, data)
                .map(text -> "event " + event + " " + text)
                .toList();
    }

    Stream<String> checkExamples(Operation operation) {
        var problems = new ArrayList<String>();
        operation
                .body()
                .ifPresent(body -> body.content()
                        .values()
                        .forEach(content -> content.examples()
                                .forEach(example -> schemas.checkSent(content.schema(), example)
                                        .forEach(text ->
                                                problems.add(operation.id() + ": example of the request " + text)))));
        operation
                .answers()
                .forEach((status, answer) -> answer.content()
                        .values()
                        .forEach(content -> content.examples()
                                .forEach(example -> schemas.checkAnswered(content.schema(), example)
                                        .forEach(text -> problems.add(
                                                operation.id() + ": example of " + status + " " + text)))));
        return problems.stream();
    }

    /** Checks an answer at an address that the document does not describe: the answer must be a problem. */
    private void checkElsewhere(Exchange exchange, List<String> problems) {
        if (exchange.status() < 400) {
            problems.add("the document has no such operation, and the answer is " + exchange.status());
        } else {
            checkContent(Map.of(PROBLEM, new Operation.Content(problem, List.of(), Map.of())), exchange, problems);
        }
    }

    private void checkAnswer(Operation operation, Exchange exchange, List<String> problems) {
        Optional<Operation.Answer> described = operation.answer(exchange.status());
        if (described.isEmpty()) {
            problems.add("the status " + exchange.status() + " is not described; the answer is "
                    + beginning(exchange.answerBody()));
            return;
        }
        Operation.Answer answer = described.get();
        checkHeaders("answer", answerHeaders, answer.headers(), exchange.answerHeaders(), problems);
        if (exchange.answerType().equals(EVENT_STREAM) && answer.content().containsKey(EVENT_STREAM)) {
            ServerSentEvents.parse(
                    exchange.answerBody(), (event, data) -> problems.addAll(checkEvent(operation, event, data)));
        } else {
            checkContent(answer.content(), exchange, problems);
        }
    }

    private void checkContent(Map<String, Operation.Content> described, Exchange exchange, List<String> problems) {
        String type = exchange.answerType();
        if (described.isEmpty() && type.isEmpty()) {
            return;
        }
        Operation.Content content = Operation.find(described, type);
        if (content == null) {
            problems.add("the content type of the answer is \"" + type + "\" (expected: " + described.keySet() + ")");
        } else if (described.containsKey(type)
                && type.endsWith("json")
                && !exchange.method().equals("HEAD")) {
            checkAnsweredJson(content.schema(), exchange.answerBody())
                    .forEach(text -> problems.add("answer " + exchange.status() + " " + text));
        }
    }

    private Stream<String> checkAnsweredJson(JsonNode schema, String json) {
        try {
            return schemas.checkAnswered(schema, Schemas.parse(json)).stream()
                    .map(text -> text + " in " + beginning(json));
        } catch (JsonProcessingException e) {
            return Stream.of("is not JSON: " + beginning(json));
        }
    }

    private static String beginning(String text) {
        return text.length() <= SHOWN_LENGTH_MAX ? text : text.substring(0, SHOWN_LENGTH_MAX) + "…";
    }

    private void checkRequest(Operation operation, Exchange exchange, List<String> problems) {
        if (!exchange.isAccepted() && !isRejectedAsUnknown(exchange)) {
            return;
        }
        var found = new ArrayList<String>();
        Query.of(exchange.uri()).check(operation, schemas, found);
        checkBody(operation, exchange, found);
        if (exchange.isAccepted()) {
            checkHeaders("request", requestHeaders, operation.headers(), exchange.requestHeaders(), found);
            found.forEach(text -> problems.add("accepted although " + text));
        } else if (found.isEmpty()) {
            problems.add("rejected, but the document allows it: " + exchange.answerBody());
        }
    }

    private static boolean isRejectedAsUnknown(Exchange exchange) {
        return exchange.answerBody().contains("\"unknown_field\"")
                || exchange.answerBody().contains("\"unknown_parameter\"");
    }

    private void checkBody(Operation operation, Exchange exchange, List<String> problems) {
        String body = exchange.requestBody();
        if (body.isEmpty()) {
            if (operation.body().isPresent() && operation.body().get().required()) {
                problems.add("the body is missing");
            }
            return;
        }
        if (operation.body().isEmpty()) {
            problems.add("no body is described");
            return;
        }
        Operation.Content content = Operation.find(operation.body().get().content(), exchange.requestType());
        if (content == null) {
            problems.add("the content type of the body is \"" + exchange.requestType() + "\"");
            return;
        }
        if (!operation.body().get().content().containsKey(exchange.requestType())
                || !exchange.requestType().endsWith("json")) {
            return;
        }
        try {
            JsonNode sent = Schemas.parse(body);
            // An unknown field is rejected even if it is null.
            schemas.checkSent(content.schema(), exchange.isAccepted() ? Nulls.removed(sent) : sent)
                    .forEach(text -> problems.add("the body " + text));
        } catch (JsonProcessingException e) {
            problems.add("the body is not JSON");
        }
    }

    /** Checks the headers that have a meaning in some operation. */
    private void checkHeaders(
            String where,
            Set<String> meaningful,
            Map<String, JsonNode> described,
            HttpHeaders headers,
            List<String> problems) {
        headers.map().forEach((name, values) -> {
            if (!meaningful.contains(name)) {
                return;
            }
            JsonNode schema = described.get(name);
            if (schema == null) {
                problems.add("the header " + name + " of the " + where + " is not described");
            } else {
                schemas.checkSent(schema, Query.value(schema, values.getFirst()))
                        .forEach(text -> problems.add("the header " + name + " of the " + where + " " + text));
            }
        });
    }
}
