package dev.millrace.scheduler.alert;

import dev.millrace.scheduler.alert.core.Alert;
import dev.millrace.scheduler.alert.core.AlertText;
import dev.millrace.scheduler.alert.core.Channel;
import dev.millrace.scheduler.alert.core.Delivery;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.secret.Secrets;
import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Sends one message over the channel of its alert. Blocking and thread-safe. */
final class Messages implements AutoCloseable {
    private final Secrets secrets;
    private final HttpSender http;
    private final Optional<MailSender> mail;
    private final Optional<String> console;
    private final InstantSource clock;

    /**
     * @param mail absent if the server has no settings for mails
     * @param console where people find the console; absent if the server does not know
     */
    Messages(Secrets secrets, HttpSender http, Optional<MailSender> mail, Optional<URI> console, InstantSource clock) {
        this.secrets = secrets;
        this.http = http;
        this.mail = mail;
        this.console = console.map(url -> url.toString().replaceFirst("/+$", ""));
        this.clock = clock;
    }

    Attempt send(Alert alert, Delivery delivery) {
        try {
            return switch (alert.channel()) {
                case Channel.Webhook(Channel.Address address, Optional<String> signing) ->
                    http.post(
                            url(alert.workspace(), address),
                            delivery.event(),
                            headers(alert.workspace(), signing, delivery));
                case Channel.Slack(Channel.Address address) ->
                    http.post(
                            url(alert.workspace(), address),
                            AlertText.slack(delivery.event(), alert.workspace(), console),
                            Map.of("webhook-id", delivery.id().toString()));
                case Channel.Email email ->
                    mail.map(sender -> sender.send(
                                    email.recipients(),
                                    "[Millrace] " + AlertText.subject(delivery.event()),
                                    AlertText.body(delivery.event(), alert.workspace(), console),
                                    delivery.id()))
                            .orElseGet(() -> failed("This server has no settings for mails: an operator must set"
                                    + " millrace.mail.host."));
                case Channel.Kafka _ ->
                    new Attempt.Failed(
                            Optional.empty(),
                            "The alert got a topic of Kafka after this event, and topics get events in order only.",
                            Optional.empty(),
                            true);
            };
        } catch (MillraceException noSecret) {
            return failed(Optional.ofNullable(noSecret.getMessage()).orElse("A secret cannot be read."));
        }
    }

    private String url(Workspace workspace, Channel.Address address) {
        return address.secret().isEmpty()
                ? address.url()
                : secrets.value(workspace, address.secret()).text();
    }

    /** The headers of Standard Webhooks. The id is the same in each attempt. */
    private Map<String, String> headers(Workspace workspace, Optional<String> signing, Delivery delivery) {
        long seconds = clock.instant().getEpochSecond();
        String id = "msg_" + delivery.id();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", Long.toString(seconds));
        signing.ifPresent(path -> headers.put(
                "webhook-signature",
                Signature.of(secrets.value(workspace, path).text(), id, seconds, delivery.event())));
        return headers;
    }

    private static Attempt failed(String error) {
        return new Attempt.Failed(Optional.empty(), error, Optional.empty(), false);
    }

    @Override
    public void close() {
        http.close();
    }
}
