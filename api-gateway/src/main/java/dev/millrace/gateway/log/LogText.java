package dev.millrace.gateway.log;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.EventStreams;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.log.v1.ListLogsRequest;
import dev.millrace.proto.log.v1.LogServiceGrpc;
import dev.millrace.proto.log.v1.TailLogsRequest;
import java.util.concurrent.CompletionStage;

/**
 * Sends the stored log of a run as plain text, of any size: chunks pass through as the reader takes them, and none is
 * kept. The text is what jobs have written; those of several jobs alternate as they arrived, see {@link SeparateLines}.
 */
final class LogText {

    private LogText() {}

    static CompletionStage<HttpResponse> send(ApiRequest request, Scheduler scheduler, EventStreams streams) {
        var probe = ListLogsRequest.newBuilder()
                .setRunId(request.path("id"))
                .setJobId(request.query("job_id"))
                .setStep(request.query("step"))
                .setPageSize(1)
                .build();
        var stored = TailLogsRequest.newBuilder()
                .setRunId(request.path("id"))
                .setJobId(request.query("job_id"))
                .setStep(request.query("step"))
                .addAllStreams(LogQuery.streams(request))
                .setStoredOnly(true)
                .build();
        var headers = ResponseHeaders.builder(HttpStatus.OK)
                .contentType(MediaType.PLAIN_TEXT_UTF_8)
                .set(HttpHeaderNames.CONTENT_DISPOSITION, "attachment; filename=\"log.txt\"")
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .build();
        return scheduler
                .call(request.context(), LogServiceGrpc.getListLogsMethod(), probe)
                .thenCompose(_ -> streams.bytes(
                        request, LogServiceGrpc.getTailLogsMethod(), stored, headers, new SeparateLines()));
    }
}
