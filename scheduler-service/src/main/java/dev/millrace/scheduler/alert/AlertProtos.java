package dev.millrace.scheduler.alert;

import dev.millrace.proto.alert.v1.Email;
import dev.millrace.proto.alert.v1.KafkaTopic;
import dev.millrace.proto.alert.v1.Slack;
import dev.millrace.proto.alert.v1.Webhook;
import dev.millrace.scheduler.alert.core.Alert;
import dev.millrace.scheduler.alert.core.Channel;
import dev.millrace.scheduler.alert.core.Delivery;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.event.core.EventFilter;
import dev.millrace.scheduler.event.core.EventTypes;
import dev.millrace.scheduler.expression.ReferencePath;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Reads alerts from messages, and writes them. */
final class AlertProtos {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern RECIPIENT = Pattern.compile("[^\\s@<>,;\"]{1,64}@[^\\s@<>,;\"]{1,200}");
    private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");
    private static final Pattern ID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final int URL_LENGTH_MAX = 2_000;
    private static final int PATH_LENGTH_MAX = 500;

    private AlertProtos() {}

    static Alert alert(String workspaceName, dev.millrace.proto.alert.v1.Alert given, String caller) {
        Violations violations = new Violations();
        Workspace workspace = RequestFields.workspace(workspaceName, violations);
        violations.require(
                NAME.matcher(given.getName()).matches(),
                "alert.name",
                "\"" + given.getName() + "\" (expected: 1 to 64 letters, digits, - and _)");
        violations.require(
                given.getTypesCount() >= 1 && given.getTypesCount() <= EventFilter.TYPES_MAX,
                "alert.types",
                given.getTypesCount() + " types (expected: 1 to " + EventFilter.TYPES_MAX + ")");
        for (String type : given.getTypesList()) {
            violations.require(EventTypes.isWanted(type), "alert.types", EventTypes.problem(type));
        }
        requireLength("alert.folder", given.getFolder(), violations);
        violations.require(
                Folder.isPossible(given.getFolder()),
                "alert.folder",
                "\"" + given.getFolder() + "\" (expected: " + Folder.EXPECTED + ")");
        requireLength("alert.path", given.getPath(), violations);
        Optional<Channel> channel = channel(given, violations);
        violations.throwIfAny();
        return new Alert(
                workspace,
                given.getName(),
                given.getTypesList(),
                text(given.getFolder()),
                text(given.getPath()),
                channel.orElseThrow(),
                false,
                caller,
                Instant.EPOCH,
                "",
                0,
                0,
                "");
    }

    private static Optional<Channel> channel(dev.millrace.proto.alert.v1.Alert given, Violations violations) {
        return switch (given.getChannelCase()) {
            case WEBHOOK -> {
                Webhook webhook = given.getWebhook();
                if (!webhook.getSigningSecret().isEmpty()) {
                    requireSecret("alert.webhook.signing_secret", webhook.getSigningSecret(), violations);
                }
                yield Optional.of(new Channel.Webhook(
                        address("alert.webhook", webhook.getUrl(), webhook.getUrlSecret(), violations),
                        text(webhook.getSigningSecret())));
            }
            case SLACK -> {
                Slack slack = given.getSlack();
                yield Optional.of(
                        new Channel.Slack(address("alert.slack", slack.getUrl(), slack.getUrlSecret(), violations)));
            }
            case EMAIL -> Optional.of(email(given.getEmail(), violations));
            case KAFKA -> Optional.of(kafka(given.getKafka(), violations));
            case CHANNEL_NOT_SET -> {
                violations.add("alert", "has no channel (expected: webhook, slack, email or kafka)");
                yield Optional.empty();
            }
        };
    }

    private static Channel kafka(KafkaTopic given, Violations violations) {
        violations.require(
                ReferencePath.isValid(given.getConnection()),
                "alert.kafka.connection",
                "\"" + given.getConnection() + "\" (expected: the path of a resource)");
        violations.require(
                TOPIC.matcher(given.getTopic()).matches(),
                "alert.kafka.topic",
                "\"" + given.getTopic() + "\" (expected: the name of a topic)");
        violations.require(
                given.getMode() != KafkaTopic.Mode.UNRECOGNIZED,
                "alert.kafka.mode",
                "is unknown (expected: structured or binary)");
        return new Channel.Kafka(
                given.getConnection(), given.getTopic(), given.getMode() == KafkaTopic.Mode.MODE_BINARY);
    }

    private static Channel email(Email given, Violations violations) {
        violations.require(
                given.getRecipientsCount() >= 1 && given.getRecipientsCount() <= Alert.RECIPIENTS_MAX,
                "alert.email.recipients",
                given.getRecipientsCount() + " addresses (expected: 1 to " + Alert.RECIPIENTS_MAX + ")");
        for (String recipient : given.getRecipientsList()) {
            violations.require(
                    RECIPIENT.matcher(recipient).matches(),
                    "alert.email.recipients",
                    "\"" + recipient + "\" is no address of a mailbox (expected: for example ops@example.com)");
        }
        return new Channel.Email(given.getRecipientsList());
    }

    private static Channel.Address address(String field, String url, String secret, Violations violations) {
        violations.require(
                url.isEmpty() != secret.isEmpty(),
                field,
                "has " + (url.isEmpty() ? "no address" : "an address and a secret") + " (expected: url or url_secret)");
        if (!url.isEmpty()) {
            violations.require(
                    url.length() <= URL_LENGTH_MAX && isHttp(url),
                    field + ".url",
                    "is no address (expected: http:// or https://, at most " + URL_LENGTH_MAX + " characters)");
        }
        if (!secret.isEmpty()) {
            requireSecret(field + ".url_secret", secret, violations);
        }
        return new Channel.Address(url, secret);
    }

    private static boolean isHttp(String url) {
        try {
            URI address = new URI(url);
            return address.getHost() != null
                    && address.getUserInfo() == null
                    && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()));
        } catch (URISyntaxException wrong) {
            return false;
        }
    }

    private static void requireSecret(String field, String path, Violations violations) {
        violations.require(
                ReferencePath.isValid(path), field, "\"" + path + "\" (expected: " + ReferencePath.EXPECTED + ")");
    }

    private static void requireLength(String field, String text, Violations violations) {
        violations.require(
                text.length() <= PATH_LENGTH_MAX && text.indexOf('\0') < 0,
                field,
                "has " + text.length() + " characters (expected: at most " + PATH_LENGTH_MAX + ", without NUL)");
    }

    private static Optional<String> text(String given) {
        return Optional.of(given).filter(text -> !text.isEmpty());
    }

    /** The state in the database; empty for any. */
    static String state(dev.millrace.proto.alert.v1.Delivery.State given) {
        return switch (given) {
            case STATE_UNSPECIFIED -> "";
            case STATE_PENDING -> "pending";
            case STATE_DELIVERED -> "delivered";
            case STATE_DEAD -> "dead";
            case UNRECOGNIZED -> {
                Violations violations = new Violations();
                violations.add("state", "is none of the known states");
                violations.throwIfAny();
                yield "";
            }
        };
    }

    static Optional<UUID> deliveryId(String given) {
        if (given.isEmpty()) {
            return Optional.empty();
        }
        Violations violations = new Violations();
        violations.require(
                ID.matcher(given).matches(), "delivery_id", "\"" + given + "\" (expected: the id of a message)");
        violations.throwIfAny();
        return Optional.of(UUID.fromString(given));
    }

    static dev.millrace.proto.alert.v1.Alert message(Alert alert) {
        var message = dev.millrace.proto.alert.v1.Alert.newBuilder()
                .setName(alert.name())
                .addAllTypes(alert.types())
                .setFolder(alert.folder().orElse(""))
                .setPath(alert.path().orElse(""))
                .setPaused(alert.isPaused())
                .setCreatedBy(alert.createdBy())
                .setChangeTime(TimeProtos.timestamp(alert.changedAt()))
                .setGap(alert.gap())
                .setWaiting(alert.waiting())
                .setDead(alert.dead())
                .setTrouble(alert.trouble());
        switch (alert.channel()) {
            case Channel.Webhook(Channel.Address address, Optional<String> signing) ->
                message.setWebhook(Webhook.newBuilder()
                        .setUrl(address.url())
                        .setUrlSecret(address.secret())
                        .setSigningSecret(signing.orElse("")));
            case Channel.Slack(Channel.Address address) ->
                message.setSlack(Slack.newBuilder().setUrl(address.url()).setUrlSecret(address.secret()));
            case Channel.Email(List<String> recipients) ->
                message.setEmail(Email.newBuilder().addAllRecipients(recipients));
            case Channel.Kafka(String connection, String topic, boolean isBinary) ->
                message.setKafka(KafkaTopic.newBuilder()
                        .setConnection(connection)
                        .setTopic(topic)
                        .setMode(isBinary ? KafkaTopic.Mode.MODE_BINARY : KafkaTopic.Mode.MODE_STRUCTURED));
        }
        return message.build();
    }

    static dev.millrace.proto.alert.v1.Delivery message(Delivery delivery) {
        var message = dev.millrace.proto.alert.v1.Delivery.newBuilder()
                .setId(delivery.id().toString())
                .setEventId(delivery.eventId().toString())
                .setEventType(delivery.eventType())
                .setCloudEvent(delivery.event())
                .setState(
                        switch (delivery.state()) {
                            case "delivered" -> dev.millrace.proto.alert.v1.Delivery.State.STATE_DELIVERED;
                            case "dead" -> dev.millrace.proto.alert.v1.Delivery.State.STATE_DEAD;
                            default -> dev.millrace.proto.alert.v1.Delivery.State.STATE_PENDING;
                        })
                .setAttempts(delivery.attempts())
                .setStatus(delivery.status().orElse(0))
                .setError(delivery.error())
                .setCreateTime(TimeProtos.timestamp(delivery.createdAt()));
        delivery.nextAt().map(TimeProtos::timestamp).ifPresent(message::setNextTime);
        delivery.endedAt().map(TimeProtos::timestamp).ifPresent(message::setEndTime);
        return message.build();
    }
}
