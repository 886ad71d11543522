package dev.millrace.gateway.alert;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.alert.v1.Alert;
import dev.millrace.proto.alert.v1.AlertServiceGrpc;
import dev.millrace.proto.alert.v1.DeleteAlertRequest;
import dev.millrace.proto.alert.v1.Delivery;
import dev.millrace.proto.alert.v1.Email;
import dev.millrace.proto.alert.v1.GetAlertRequest;
import dev.millrace.proto.alert.v1.KafkaTopic;
import dev.millrace.proto.alert.v1.ListAlertsRequest;
import dev.millrace.proto.alert.v1.ListDeliveriesRequest;
import dev.millrace.proto.alert.v1.PauseAlertRequest;
import dev.millrace.proto.alert.v1.PutAlertRequest;
import dev.millrace.proto.alert.v1.ReplayDeliveriesRequest;
import dev.millrace.proto.alert.v1.ResumeAlertRequest;
import dev.millrace.proto.alert.v1.Slack;
import dev.millrace.proto.alert.v1.Webhook;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints for alerts and their messages. */
public final class AlertEndpoints {

    private static final String ALERTS = "/api/v1/alerts";
    private static final String ALERT = ALERTS + "/{name}";
    private static final String STATE_PREFIX = "STATE_";
    private static final String MODE_PREFIX = "MODE_";

    private static final JsonFields<Webhook.Builder> WEBHOOK = new JsonFields<Webhook.Builder>()
            .field("url", (json, webhook) -> webhook.setUrl(json.text()))
            .field("url_secret", (json, webhook) -> webhook.setUrlSecret(json.text()))
            .field("signing_secret", (json, webhook) -> webhook.setSigningSecret(json.text()));
    private static final JsonFields<Slack.Builder> SLACK = new JsonFields<Slack.Builder>()
            .field("url", (json, slack) -> slack.setUrl(json.text()))
            .field("url_secret", (json, slack) -> slack.setUrlSecret(json.text()));
    private static final JsonFields<Email.Builder> EMAIL = new JsonFields<Email.Builder>()
            .required("recipients", (json, email) -> json.items(() -> email.addRecipients(json.text())));
    private static final JsonFields<KafkaTopic.Builder> KAFKA = new JsonFields<KafkaTopic.Builder>()
            .required("connection", (json, kafka) -> kafka.setConnection(json.text()))
            .required("topic", (json, kafka) -> kafka.setTopic(json.text()))
            .field("mode", (json, kafka) -> {
                var name = json.text();
                kafka.setMode(EnumNames.parse(KafkaTopic.Mode.class, MODE_PREFIX, name)
                        .orElseThrow(() -> json.wrong("is \"" + name + "\" (expected: "
                                + EnumNames.known(KafkaTopic.Mode.class, MODE_PREFIX) + ")")));
            });
    private static final JsonFields<Alert.Builder> PUT = new JsonFields<Alert.Builder>()
            .required("types", (json, alert) -> json.items(() -> alert.addTypes(json.text())))
            .field("folder", (json, alert) -> alert.setFolder(json.text()))
            .field("path", (json, alert) -> alert.setPath(json.text()))
            .field("webhook", (json, alert) -> json.object(WEBHOOK, alert.getWebhookBuilder()))
            .field("slack", (json, alert) -> json.object(SLACK, alert.getSlackBuilder()))
            .field("email", (json, alert) -> json.object(EMAIL, alert.getEmailBuilder()))
            .field("kafka", (json, alert) -> json.object(KAFKA, alert.getKafkaBuilder()));

    private final Scheduler scheduler;

    public AlertEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(ALERTS, Set.of("page_size", "page_token"), this::list),
                Endpoint.get(ALERT, Set.of(), this::get),
                Endpoint.put(ALERT, Set.of(), this::put),
                Endpoint.delete(ALERT, Set.of(), this::delete),
                Endpoint.post(ALERT + ":pause", Set.of(), this::pause),
                Endpoint.post(ALERT + ":resume", Set.of(), this::resume),
                Endpoint.get(ALERT + "/deliveries", Set.of("state", "page_size", "page_token"), this::deliveries),
                Endpoint.post(ALERT + "/deliveries:replay", Set.of("id"), this::replay));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListAlertsRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), AlertServiceGrpc.getListAlertsMethod(), list)
                .thenApply(page -> Answers.page(page.getAlertsList(), page.getNextPageToken(), AlertEndpoints::write));
    }

    private CompletionStage<HttpResponse> get(ApiRequest request) {
        var get = GetAlertRequest.newBuilder().setName(request.path("name")).build();
        return scheduler
                .call(request.context(), AlertServiceGrpc.getGetAlertMethod(), get)
                .thenApply(found -> Answers.json(json -> write(json, found.getAlert())));
    }

    private CompletionStage<HttpResponse> put(ApiRequest request) {
        var put = PutAlertRequest.newBuilder()
                .setAlert(request.json(PUT, Alert.newBuilder()).setName(request.path("name")))
                .build();
        return scheduler
                .call(request.context(), AlertServiceGrpc.getPutAlertMethod(), put)
                .thenApply(answer -> Answers.json(json -> write(json, answer.getAlert())));
    }

    private CompletionStage<HttpResponse> delete(ApiRequest request) {
        var delete =
                DeleteAlertRequest.newBuilder().setName(request.path("name")).build();
        return scheduler
                .call(request.context(), AlertServiceGrpc.getDeleteAlertMethod(), delete)
                .thenApply(_ -> Answers.json(_ -> {}));
    }

    private CompletionStage<HttpResponse> pause(ApiRequest request) {
        var pause = PauseAlertRequest.newBuilder().setName(request.path("name")).build();
        return scheduler
                .call(request.context(), AlertServiceGrpc.getPauseAlertMethod(), pause)
                .thenApply(answer -> Answers.json(json -> write(json, answer.getAlert())));
    }

    private CompletionStage<HttpResponse> resume(ApiRequest request) {
        var resume =
                ResumeAlertRequest.newBuilder().setName(request.path("name")).build();
        return scheduler
                .call(request.context(), AlertServiceGrpc.getResumeAlertMethod(), resume)
                .thenApply(answer -> Answers.json(json -> write(json, answer.getAlert())));
    }

    private CompletionStage<HttpResponse> deliveries(ApiRequest request) {
        var list = ListDeliveriesRequest.newBuilder()
                .setName(request.path("name"))
                .setState(state(request.query("state")))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), AlertServiceGrpc.getListDeliveriesMethod(), list)
                .thenApply(page ->
                        Answers.page(page.getDeliveriesList(), page.getNextPageToken(), AlertEndpoints::writeDelivery));
    }

    private CompletionStage<HttpResponse> replay(ApiRequest request) {
        var replay = ReplayDeliveriesRequest.newBuilder()
                .setName(request.path("name"))
                .setDeliveryId(request.query("id"))
                .build();
        return scheduler
                .call(request.context(), AlertServiceGrpc.getReplayDeliveriesMethod(), replay)
                .thenApply(answer -> Answers.json(json -> json.integer("replayed", answer.getReplayed())));
    }

    private static Delivery.State state(String name) {
        return name.isEmpty()
                ? Delivery.State.STATE_UNSPECIFIED
                : EnumNames.parse(Delivery.State.class, STATE_PREFIX, name)
                        .orElseThrow(() -> ApiRequest.wrongQuery(
                                "state",
                                "is \"" + name + "\" (expected: " + EnumNames.known(Delivery.State.class, STATE_PREFIX)
                                        + ")"));
    }

    private static void write(JsonWriter json, Alert alert) {
        json.text("name", alert.getName());
        json.texts("types", alert.getTypesList());
        json.optionalText("folder", alert.getFolder());
        json.optionalText("path", alert.getPath());
        switch (alert.getChannelCase()) {
            case WEBHOOK ->
                json.object("webhook", webhook -> {
                    webhook.optionalText("url", alert.getWebhook().getUrl());
                    webhook.optionalText("url_secret", alert.getWebhook().getUrlSecret());
                    webhook.optionalText("signing_secret", alert.getWebhook().getSigningSecret());
                });
            case SLACK ->
                json.object("slack", slack -> {
                    slack.optionalText("url", alert.getSlack().getUrl());
                    slack.optionalText("url_secret", alert.getSlack().getUrlSecret());
                });
            case EMAIL ->
                json.object(
                        "email",
                        email -> email.texts("recipients", alert.getEmail().getRecipientsList()));
            case KAFKA ->
                json.object("kafka", kafka -> {
                    kafka.text("connection", alert.getKafka().getConnection());
                    kafka.text("topic", alert.getKafka().getTopic());
                    kafka.text("mode", EnumNames.json(alert.getKafka().getMode(), MODE_PREFIX));
                });
            case CHANNEL_NOT_SET -> {}
        }
        json.flag("paused", alert.getPaused());
        json.text("created_by", alert.getCreatedBy());
        json.time("update_time", alert.getChangeTime());
        json.optionalText("gap", alert.getGap());
        json.optionalText("trouble", alert.getTrouble());
        json.integer("waiting", alert.getWaiting());
        json.integer("dead", alert.getDead());
    }

    private static void writeDelivery(JsonWriter json, Delivery delivery) {
        json.text("id", delivery.getId());
        json.text("event_id", delivery.getEventId());
        json.text("event_type", delivery.getEventType());
        json.raw("event", ByteString.copyFromUtf8(delivery.getCloudEvent()));
        json.text("state", EnumNames.json(delivery.getState(), STATE_PREFIX));
        json.integer("attempts", delivery.getAttempts());
        if (delivery.hasNextTime()) {
            json.time("next_time", delivery.getNextTime());
        }
        if (delivery.getStatus() != 0) {
            json.integer("status", delivery.getStatus());
        }
        json.optionalText("error", delivery.getError());
        json.time("create_time", delivery.getCreateTime());
        if (delivery.hasEndTime()) {
            json.time("end_time", delivery.getEndTime());
        }
    }
}
