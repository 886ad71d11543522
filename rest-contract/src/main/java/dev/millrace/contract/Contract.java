package dev.millrace.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The promises of the OpenAPI document of a gateway. Checks exchanges against the document, and remembers which
 * successes it has seen. Thread-safe.
 */
public final class Contract {
    private final Document document;
    private final List<Operation> operations;
    private final ExchangeCheck check;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    private Contract(Document document) {
        this.document = document;
        this.operations = document.operations();
        this.check = new ExchangeCheck(operations, new Schemas(document), document);
    }

    /** Reads a document in YAML or JSON. */
    public static Contract of(String openApi) {
        return new Contract(Document.parse(openApi));
    }

    public List<Operation> operations() {
        return operations;
    }

    /** The schema to which a schema refers, or the schema itself if it is no reference. */
    public JsonNode resolve(JsonNode schema) {
        return document.resolve(schema);
    }

    /**
     * Checks a complete exchange.
     *
     * @throws AssertionError if the document does not describe the answer, or does not describe an accepted request
     */
    public void check(Exchange exchange) {
        Optional<Operation> operation = find(exchange.method(), exchange.uri());
        report(exchange.method() + " " + exchange.uri(), check.check(operation, exchange));
        operation.ifPresent(known -> seen.add(known.success(String.valueOf(exchange.status()), exchange.answerType())));
    }

    /**
     * Checks one event of a stream that is still being read.
     *
     * @throws AssertionError if the document does not describe the event
     */
    public void checkEvent(String method, URI uri, String event, String data) {
        Operation operation = find(method, uri)
                .orElseThrow(() -> new AssertionError("The document has no " + method + " " + uri.getPath() + "."));
        report(method + " " + uri, check.checkEvent(operation, event, data));
        seen.add(operation.id() + " 200 " + ExchangeCheck.EVENT_STREAM);
        seen.add(operation.id() + " event " + event);
    }

    /** Checks the examples of the document against its own schemas, and returns the problems. */
    public List<String> checkExamples() {
        return operations.stream().flatMap(check::checkExamples).toList();
    }

    /** Successes in the document that no checked exchange has had, such as {@code getRun 200 application/json}. */
    public Set<String> unseen() {
        var unseen = new TreeSet<String>();
        for (Operation operation : operations) {
            unseen.addAll(operation.successes());
            operation.answers().values().stream()
                    .flatMap(answer -> answer.content().values().stream())
                    .flatMap(content -> content.events().keySet().stream())
                    .forEach(event -> unseen.add(operation.id() + " event " + event));
        }
        unseen.removeAll(seen);
        return unseen;
    }

    /** The operation at an address; empty at addresses that the document does not describe. */
    public Optional<Operation> find(String method, URI uri) {
        return PathTemplate.find(operations, method, uri.getRawPath());
    }

    private static void report(String request, List<String> problems) {
        if (!problems.isEmpty()) {
            var lines = new ArrayList<String>();
            lines.add(request + " is not as openapi.yaml says:");
            lines.addAll(problems);
            throw new AssertionError(String.join("\n  ", lines));
        }
    }
}
