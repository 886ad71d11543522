package dev.millrace.e2e.contract;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.contract.Contract;
import dev.millrace.contract.Operation;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes requests for operations of a document: most are as described, some are wrong in one place. */
public final class RequestFuzz {
    private static final List<String> TRIGGER_KINDS = List.of("webhook", "event", "kafka", "postgres", "mqtt");
    private static final Pattern PARAMETER = Pattern.compile("\\{([^}]+)}");
    private static final double STRANGE_PATH_SHARE = 0.1;
    private static final double QUERY_SHARE = 0.5;
    private static final double UNKNOWN_PARAMETER_SHARE = 0.02;
    private static final double BROKEN_BODY_SHARE = 0.05;
    private static final List<String> HEADERS = List.of("", "key", "42", "x".repeat(128), "x".repeat(3_000), "%00é");

    private final URI gateway;
    private final RandomGenerator random;
    private final JsonFuzz json;
    private final List<String> ids;
    private final List<String> names;

    /**
     * Makes requests to a gateway.
     *
     * @param ids ids of runs that exist
     * @param names paths and names that exist
     */
    public RequestFuzz(URI gateway, Contract contract, RandomGenerator random, List<String> ids, List<String> names) {
        this.gateway = gateway;
        this.random = random;
        this.ids = ids;
        this.names = names;
        var known = new ArrayList<>(ids);
        known.addAll(names);
        this.json = new JsonFuzz(contract, random, known);
    }

    public HttpRequest request(Operation operation) {
        var request = HttpRequest.newBuilder(gateway.resolve(path(operation) + query(operation)));
        if (operation.body().isPresent()) {
            request.header("content-type", "application/json")
                    .method(
                            operation.method(),
                            BodyPublishers.ofByteArray(body(operation.body().get())));
        } else {
            request.method(operation.method(), BodyPublishers.noBody());
        }
        operation.headers().forEach((name, _) -> {
            if (random.nextInt(4) == 0) {
                request.header(name, json.pick(HEADERS));
            }
        });
        return request.build();
    }

    private String path(Operation operation) {
        return PARAMETER
                .matcher(operation.path())
                .replaceAll(parameter -> Matcher.quoteReplacement(encoded(
                        random.nextDouble() < STRANGE_PATH_SHARE
                                ? json.pick(JsonFuzz.STRANGE_TEXTS)
                                : switch (parameter.group(1)) {
                                    case "workspace" -> "default";
                                    case "id" -> json.pick(ids);
                                    case "kind" -> json.pick(TRIGGER_KINDS);
                                    default -> json.pick(names);
                                })));
    }

    private String query(Operation operation) {
        var pairs = new ArrayList<String>();
        for (Map.Entry<String, JsonNode> parameter : operation.query().entrySet()) {
            JsonNode schema = parameter.getValue();
            JsonNode one = schema.has("items") ? schema.path("items") : schema;
            for (int i = 0; i < (schema.has("items") ? 2 : 1); i++) {
                if (random.nextDouble() < QUERY_SHARE) {
                    pairs.add(parameter.getKey() + "=" + encoded(json.parameter(one)));
                }
            }
        }
        if (random.nextDouble() < UNKNOWN_PARAMETER_SHARE) {
            pairs.add("surprise=1");
        }
        return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
    }

    private byte[] body(Operation.Body body) {
        Operation.Content content = body.content().values().iterator().next();
        String text = json.body(content.schema());
        if (random.nextDouble() < BROKEN_BODY_SHARE) {
            return switch (random.nextInt(4)) {
                case 0 -> text.substring(0, text.length() / 2).getBytes(StandardCharsets.UTF_8);
                case 1 -> (text + text).getBytes(StandardCharsets.UTF_8);
                case 2 -> new byte[] {(byte) 0xff, (byte) 0xfe, 0};
                default -> "[".repeat(100_000).getBytes(StandardCharsets.UTF_8);
            };
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String encoded(String text) {
        String shortened = text.length() > 2_000 ? text.substring(0, 2_000) : text;
        return URLEncoder.encode(shortened, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
