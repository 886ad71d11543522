package dev.millrace.cli.alert;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace alerts set}: creates or replaces an alert. */
@Command(name = "set", description = "Create an alert, or replace it.")
public final class AlertsSetCommand extends ClientCommand {
    /** Options with other names than their fields. */
    private static final Map<String, String> OPTIONS = Map.of(
            "types", "--type",
            "webhook.url", "--webhook",
            "webhook.url_secret", "--webhook-secret",
            "slack.url", "--slack",
            "slack.url_secret", "--slack-secret",
            "kafka.connection", "--kafka",
            "email.recipients", "--email");

    @Parameters(paramLabel = "NAME", description = "Name of the alert: letters, digits, - and _.")
    private String name = "";

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            required = true,
            description = "Type of the events, for example run.failed or run.*; may be repeated.")
    private List<String> types = new ArrayList<>();

    @Option(names = "--folder", paramLabel = "NAME", description = "Only flows, scripts and runs in this folder.")
    private @Nullable String folder;

    @Option(names = "--path", paramLabel = "PATH", description = "Only this flow or script, and its runs.")
    private @Nullable String path;

    @ArgGroup(multiplicity = "1")
    private Channel channel = new Channel();

    /** Where the messages go. */
    static final class Channel {
        @Option(names = "--webhook", paramLabel = "URL", description = "HTTP server that gets the events.")
        private @Nullable String webhook;

        @Option(
                names = "--webhook-secret",
                paramLabel = "PATH",
                description = "Secret with the address of that server.")
        private @Nullable String webhookSecret;

        @Option(names = "--slack", paramLabel = "URL", description = "Incoming webhook of Slack.")
        private @Nullable String slack;

        @Option(names = "--slack-secret", paramLabel = "PATH", description = "Secret with the address of that webhook.")
        private @Nullable String slackSecret;

        @Option(names = "--kafka", paramLabel = "PATH", description = "Resource with the brokers of the topic.")
        private @Nullable String kafka;

        @Option(names = "--email", paramLabel = "ADDRESS", description = "Mailbox; may be repeated.")
        private List<String> email = new ArrayList<>();
    }

    @Option(
            names = "--signing-secret",
            paramLabel = "PATH",
            description = "With --webhook: secret with which messages are signed.")
    private @Nullable String signingSecret;

    @Option(names = "--topic", paramLabel = "TOPIC", description = "With --kafka: topic that gets the events in order.")
    private @Nullable String topic;

    @Option(
            names = "--binary",
            description = "With --kafka: the attributes of an event are headers, and its data are the value.")
    private boolean binary;

    public AlertsSetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected String nameOf(String field) {
        return OPTIONS.getOrDefault(field, optionOf(field));
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        requireWith(
                "--signing-secret",
                signingSecret != null,
                channel.webhook != null || channel.webhookSecret != null,
                "--webhook or --webhook-secret");
        requireWith("--topic", topic != null, channel.kafka != null, "--kafka");
        requireWith("--kafka", channel.kafka != null, topic != null, "--topic");
        requireWith("--binary", binary, channel.kafka != null, "--kafka");
        ObjectNode body = Json.object();
        ArrayNode list = body.putArray("types");
        types.forEach(list::add);
        putIfGiven(body, "folder", folder);
        putIfGiven(body, "path", path);
        if (channel.webhook != null || channel.webhookSecret != null) {
            ObjectNode webhook = body.putObject("webhook");
            putIfGiven(webhook, "url", channel.webhook);
            putIfGiven(webhook, "url_secret", channel.webhookSecret);
            putIfGiven(webhook, "signing_secret", signingSecret);
        } else if (channel.slack != null || channel.slackSecret != null) {
            ObjectNode slack = body.putObject("slack");
            putIfGiven(slack, "url", channel.slack);
            putIfGiven(slack, "url_secret", channel.slackSecret);
        } else if (channel.kafka != null) {
            ObjectNode kafka = body.putObject("kafka");
            kafka.put("connection", channel.kafka);
            kafka.put("topic", topic == null ? "" : topic);
            kafka.put("mode", binary ? "binary" : "structured");
        } else {
            ArrayNode recipients = body.putObject("email").putArray("recipients");
            channel.email.forEach(recipients::add);
        }
        printResult(
                client.put(AlertsCommand.ALERTS.name(name), body),
                "Set the alert " + name + ". What happens from now on leads to messages.");
        return ExitCode.OK;
    }

    private static void requireWith(String option, boolean isGiven, boolean isOtherGiven, String other) {
        if (isGiven && !isOtherGiven) {
            throw new CommandFailure(ExitCode.USAGE, option + " goes with " + other + ": give both or none.");
        }
    }

    private static void putIfGiven(ObjectNode body, String key, @Nullable String value) {
        if (value != null) {
            body.put(key, value);
        }
    }
}
