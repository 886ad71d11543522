package dev.millrace.scheduler.alert;

import dev.millrace.scheduler.alert.core.Alert;
import dev.millrace.scheduler.alert.core.Channel;
import dev.millrace.scheduler.alert.core.Delivery;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.event.Events;
import dev.millrace.scheduler.event.core.EventFilter;
import dev.millrace.scheduler.event.core.Scope;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Sets, lists and deletes alerts, and shows their messages. Blocking and thread-safe. */
final class Alerts {
    private static final UUID LAST = new UUID(-1, -1);

    private final AlertStore store;
    private final DeliveryStore deliveries;
    private final Events events;
    private final TopicProducers topics;
    private final HttpSender http;
    private final boolean sendsMail;
    private final SecretCheck secrets;
    private final Runnable changed;

    /** Finds out whether secrets can be used. */
    @FunctionalInterface
    interface SecretCheck {
        /** Fails unless the secret exists and has a usable value. */
        void require(Workspace workspace, String path);
    }

    /**
     * @param sendsMail whether the operator has named a mail server
     * @param changed wakes whoever sends messages
     */
    Alerts(
            Database database,
            Events events,
            TopicProducers topics,
            HttpSender http,
            boolean sendsMail,
            SecretCheck secrets,
            Runnable changed) {
        this.store = new AlertStore(database);
        this.deliveries = new DeliveryStore(database);
        this.events = events;
        this.topics = topics;
        this.http = http;
        this.sendsMail = sendsMail;
        this.secrets = secrets;
        this.changed = changed;
    }

    /**
     * Stores an alert. What is committed after this call and matches a new alert leads to a message. Fails if the alert asks
     * for mails and there is no mail server, if its receiver has an address to which nothing may be sent, or if it refers to
     * a secret that does not exist.
     */
    Alert put(Alert alert) throws InterruptedException {
        if (alert.channel() instanceof Channel.Kafka kafka) {
            topics.problem(alert.workspace(), kafka.connection()).ifPresent(problem -> {
                throw MillraceException.invalid(
                        "alert.kafka.connection",
                        "the resource " + kafka.connection() + " is no connection to Kafka: " + problem);
            });
        }
        alert.channel().url().filter(http::refuses).ifPresent(url -> {
            throw MillraceException.invalid(
                    "alert." + alert.channel().text() + ".url",
                    "is no public address: " + url + " (expected: a receiver with a public address, or an operator sets"
                            + " millrace.alert.allow-private)");
        });
        if (alert.channel() instanceof Channel.Email && !sendsMail) {
            throw MillraceException.invalid(
                    "alert.email",
                    "cannot be sent, because this server has no settings for mails (expected: an operator sets"
                            + " millrace.mail.host, or the alert goes to a webhook or Slack)");
        }
        alert.channel().secrets().forEach(path -> secrets.require(alert.workspace(), path));
        String now = events.beginSubscription(alert.workspace(), EventFilter.scope(alert.types()));
        switch (store.put(alert, now)) {
            case FREE -> {}
            case WORKSPACE_FULL -> throw tooMany("workspace " + alert.workspace(), Alert.ALERTS_MAX + " alerts");
            case STREAMS_OF_WORKSPACE_FULL ->
                throw tooMany(
                        "workspace " + alert.workspace(), Alert.STREAMS_OF_WORKSPACE_MAX + " alerts with a topic");
            case STREAMS_FULL -> throw tooMany("installation", Alert.STREAMS_MAX + " alerts with a topic");
        }
        endSubscriptions(alert.workspace());
        changed.run();
        return get(alert.workspace(), alert.name());
    }

    Alert get(Workspace workspace, String name) {
        return store.find(new AlertKey(workspace, name)).orElseThrow(() -> notFound(workspace, name));
    }

    PageRequest.Page<Alert> list(Workspace workspace, PageRequest page) {
        return page.of(limit -> store.list(workspace, page.after(), limit), Alert::name);
    }

    /** Pauses an alert or lets it go on where it was. */
    Alert pause(Workspace workspace, String name, boolean isPaused) {
        if (!store.pause(new AlertKey(workspace, name), isPaused)) {
            throw notFound(workspace, name);
        }
        changed.run();
        return get(workspace, name);
    }

    /** Deletes an alert with its messages. */
    void delete(Workspace workspace, String name) {
        if (!store.delete(new AlertKey(workspace, name))) {
            throw notFound(workspace, name);
        }
        endSubscriptions(workspace);
    }

    /** Ends those that no alert of the workspace needs. */
    private void endSubscriptions(Workspace workspace) {
        Set<Scope> unused = EnumSet.allOf(Scope.class);
        for (Alert alert : store.list(workspace, "", Alert.ALERTS_MAX)) {
            unused.remove(EventFilter.scope(alert.types()));
        }
        for (Scope scope : unused) {
            events.endSubscriptions(workspace, scope);
        }
    }

    /** @param state only messages in this state; empty for all */
    PageRequest.Page<Delivery> deliveries(Workspace workspace, String name, String state, PageRequest page) {
        AlertKey key = new AlertKey(workspace, get(workspace, name).name());
        UUID before = page.after().isEmpty() ? LAST : id(page.after());
        return page.of(
                limit -> deliveries.list(key, state, before, limit),
                delivery -> delivery.id().toString());
    }

    /** Sends a message again, or all that were given up. Returns the number of messages that are sent again. */
    int replay(Workspace workspace, String name, Optional<UUID> one) {
        int replayed =
                deliveries.replay(new AlertKey(workspace, get(workspace, name).name()), one);
        if (one.isPresent() && replayed == 0) {
            throw new MillraceException(
                    ErrorCode.ALERT_NOT_FOUND,
                    "The alert " + name + " has no message " + one.get()
                            + " that has ended: list them with `millrace alerts deliveries " + name + "`.");
        }
        changed.run();
        return replayed;
    }

    private static UUID id(String token) {
        try {
            return UUID.fromString(token);
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }

    private static MillraceException tooMany(String where, String what) {
        return new MillraceException(
                ErrorCode.TOO_MANY, "The " + where + " has " + what + ", as many as it may have: delete some first.");
    }

    private static MillraceException notFound(Workspace workspace, String name) {
        return new MillraceException(
                ErrorCode.ALERT_NOT_FOUND, "There is no alert " + name + " in workspace " + workspace + ".");
    }
}
