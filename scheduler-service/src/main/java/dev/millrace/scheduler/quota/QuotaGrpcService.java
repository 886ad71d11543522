package dev.millrace.scheduler.quota;

import dev.millrace.proto.quota.v1.GetQuotasRequest;
import dev.millrace.proto.quota.v1.GetQuotasResponse;
import dev.millrace.proto.quota.v1.QuotaServiceGrpc;
import dev.millrace.proto.quota.v1.SetQuotasRequest;
import dev.millrace.proto.quota.v1.SetQuotasResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.quota.core.Quotas;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;

/** gRPC service for quotas. */
public final class QuotaGrpcService extends QuotaServiceGrpc.QuotaServiceImplBase {
    private final QuotaBook book;

    public QuotaGrpcService(QuotaBook book) {
        this.book = book;
    }

    @Override
    public void getQuotas(GetQuotasRequest request, StreamObserver<GetQuotasResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        Unary.answer(
                observer,
                GetQuotasResponse.newBuilder()
                        .setQuotas(QuotaProtos.message(book.load(workspace)))
                        .setUse(QuotaProtos.message(
                                book.see(workspace), book.blobs().see(workspace)))
                        .build());
    }

    @Override
    public void setQuotas(SetQuotasRequest request, StreamObserver<SetQuotasResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        Quotas wanted = QuotaProtos.quotas(request.getQuotas());
        book.set(workspace, wanted, Access.current().name());
        Unary.answer(
                observer,
                SetQuotasResponse.newBuilder()
                        .setQuotas(QuotaProtos.message(wanted))
                        .build());
    }
}
