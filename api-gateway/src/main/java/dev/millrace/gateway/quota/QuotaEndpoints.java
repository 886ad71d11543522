package dev.millrace.gateway.quota;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.quota.v1.GetQuotasRequest;
import dev.millrace.proto.quota.v1.QuotaServiceGrpc;
import dev.millrace.proto.quota.v1.QuotaUse;
import dev.millrace.proto.quota.v1.Quotas;
import dev.millrace.proto.quota.v1.SetQuotasRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints for the quotas of a workspace. */
public final class QuotaEndpoints {

    private static final String QUOTAS = "/api/v1/quotas";

    private static final JsonFields<Quotas.Builder> FIELDS = new JsonFields<Quotas.Builder>()
            .field("submits_per_second_max", (json, quotas) -> quotas.setSubmitsPerSecondMax(json.longInteger()))
            .field("queued_jobs_max", (json, quotas) -> quotas.setQueuedJobsMax(json.longInteger()))
            .field("open_streams_max", (json, quotas) -> quotas.setOpenStreamsMax(json.longInteger()))
            .field("log_bytes_per_second_max", (json, quotas) -> quotas.setLogBytesPerSecondMax(json.longInteger()))
            .field(
                    "payload_bytes_per_second_max",
                    (json, quotas) -> quotas.setPayloadBytesPerSecondMax(json.longInteger()))
            .field("blob_bytes_max", (json, quotas) -> quotas.setBlobBytesMax(json.longInteger()));

    private final Scheduler scheduler;

    public QuotaEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(Endpoint.get(QUOTAS, Set.of(), this::get), Endpoint.put(QUOTAS, Set.of(), this::set));
    }

    private CompletionStage<HttpResponse> get(ApiRequest request) {
        return scheduler
                .call(request.context(), QuotaServiceGrpc.getGetQuotasMethod(), GetQuotasRequest.getDefaultInstance())
                .thenApply(found -> Answers.json(json -> {
                    json.object("quotas", inner -> write(inner, found.getQuotas()));
                    json.object("use", inner -> write(inner, found.getUse()));
                }));
    }

    private CompletionStage<HttpResponse> set(ApiRequest request) {
        var set = SetQuotasRequest.newBuilder()
                .setQuotas(request.json(FIELDS, Quotas.newBuilder()))
                .build();
        return scheduler
                .call(request.context(), QuotaServiceGrpc.getSetQuotasMethod(), set)
                .thenApply(answer -> Answers.json(json -> write(json, answer.getQuotas())));
    }

    private static void write(JsonWriter json, Quotas quotas) {
        json.integer("submits_per_second_max", quotas.getSubmitsPerSecondMax());
        json.integer("queued_jobs_max", quotas.getQueuedJobsMax());
        json.integer("open_streams_max", quotas.getOpenStreamsMax());
        json.integer("log_bytes_per_second_max", quotas.getLogBytesPerSecondMax());
        json.integer("payload_bytes_per_second_max", quotas.getPayloadBytesPerSecondMax());
        json.integer("blob_bytes_max", quotas.getBlobBytesMax());
    }

    private static void write(JsonWriter json, QuotaUse use) {
        json.number("submits_per_second", use.getSubmitsPerSecond());
        json.integer("queued_jobs", use.getQueuedJobs());
        json.integer("open_streams", use.getOpenStreams());
        json.number("log_bytes_per_second", use.getLogBytesPerSecond());
        json.number("payload_bytes_per_second", use.getPayloadBytesPerSecond());
        json.integer("refused_calls", use.getRefusedCalls());
        json.integer("dropped_log_bytes", use.getDroppedLogBytes());
        json.integer("blob_bytes", use.getBlobBytes());
    }
}
