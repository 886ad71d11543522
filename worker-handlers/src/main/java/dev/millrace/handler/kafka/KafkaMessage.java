package dev.millrace.handler.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.handler.HandlerInput;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A message as described by a flow.
 *
 * @param key text of the key; absent if there is none
 * @param value text of the value; absent for a tombstone
 * @param timeout longest time until the brokers acknowledge the message
 */
record KafkaMessage(
        String bootstrapServers,
        String topic,
        Optional<Integer> partition,
        Optional<String> key,
        Optional<String> value,
        Map<String, String> headers,
        String acks,
        Duration timeout) {
    static final String HANDLER = "millrace.kafka";

    private static final Pattern SERVERS = Pattern.compile("[^\\s,/:]+:\\d{1,5}(,[^\\s,/:]+:\\d{1,5})*");
    private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");
    private static final Set<String> ACKS = Set.of("0", "1", "all");

    KafkaMessage {
        headers = Map.copyOf(headers);
    }

    /** Parses an input; fails with {@code InputError}. */
    static KafkaMessage read(byte[] json, KafkaHandlerOptions options) {
        HandlerInput input = new HandlerInput(HANDLER, json);
        KafkaMessage message = new KafkaMessage(
                servers(input, options),
                matching(input, "topic", TOPIC, "the name of a topic"),
                input.integer("partition", 0, Integer.MAX_VALUE),
                input.value("key").map(KafkaMessage::text),
                input.value("value").map(KafkaMessage::text),
                input.texts("headers"),
                input.value("acks").map(JsonNode::asText).orElse("all"),
                input.duration("timeout", KafkaHandlerOptions.TIMEOUT_MAX).orElse(KafkaHandlerOptions.TIMEOUT_DEFAULT));
        input.refuseUnknown();
        if (!ACKS.contains(message.acks)) {
            throw input.invalid("acks", "0, 1 or \"all\"");
        }
        return message;
    }

    ProducerRecord<byte[], byte[]> toRecord() {
        ProducerRecord<byte[], byte[]> produced = new ProducerRecord<>(
                topic,
                partition.orElse(null),
                key.map(text -> text.getBytes(UTF_8)).orElse(null),
                value.map(text -> text.getBytes(UTF_8)).orElse(null));
        headers.forEach((name, text) -> produced.headers().add(name, text.getBytes(UTF_8)));
        return produced;
    }

    /** A text unchanged, any other value as JSON. */
    private static String text(JsonNode value) {
        return value.isTextual() ? value.textValue() : value.toString();
    }

    private static String servers(HandlerInput input, KafkaHandlerOptions options) {
        Optional<String> own = options.bootstrapServers();
        if (own.isPresent() && input.value("bootstrap_servers").isEmpty()) {
            return own.get();
        }
        String named = matching(input, "bootstrap_servers", SERVERS, "HOST:PORT, several separated by commas");
        if (options.holdsCredentials() && !known(own).containsAll(list(named))) {
            throw input.invalid(
                    "bootstrap_servers",
                    own.map(servers -> "some of " + servers
                                    + ", the only servers that the worker's credentials are for; or leave it out")
                            .orElse(
                                    "servers named by the operator: the worker has credentials, but its --kafka-config has no bootstrap.servers to use them with"));
        }
        return named;
    }

    private static Set<String> known(Optional<String> servers) {
        return servers.map(KafkaMessage::list).map(Set::copyOf).orElse(Set.of());
    }

    static List<String> list(String servers) {
        return List.of(servers.trim().split("\\s*,\\s*"));
    }

    private static String matching(HandlerInput input, String key, Pattern pattern, String expected) {
        String text = input.requiredText(key);
        if (!pattern.matcher(text).matches()) {
            throw input.invalid(key, expected);
        }
        return text;
    }
}
