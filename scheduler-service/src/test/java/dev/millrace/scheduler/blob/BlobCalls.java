package dev.millrace.scheduler.blob;

import com.google.protobuf.ByteString;
import dev.millrace.proto.blob.v1.Blob;
import dev.millrace.proto.blob.v1.BlobPart;
import dev.millrace.proto.blob.v1.BlobServiceGrpc;
import dev.millrace.proto.blob.v1.DeleteBlobRequest;
import dev.millrace.proto.blob.v1.DownloadBlobRequest;
import dev.millrace.proto.blob.v1.DownloadBlobResponse;
import dev.millrace.proto.blob.v1.DownloadRunBlobRequest;
import dev.millrace.proto.blob.v1.DownloadRunBlobResponse;
import dev.millrace.proto.blob.v1.GetBlobRequest;
import dev.millrace.proto.blob.v1.ListBlobsRequest;
import dev.millrace.proto.blob.v1.ListBlobsResponse;
import dev.millrace.proto.blob.v1.UploadBlobRequest;
import dev.millrace.proto.blob.v1.UploadBlobResponse;
import dev.millrace.proto.worker.v1.JobBlobServiceGrpc;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.LoadJobBlobRequest;
import dev.millrace.proto.worker.v1.LoadJobBlobResponse;
import dev.millrace.proto.worker.v1.SaveJobBlobRequest;
import dev.millrace.proto.worker.v1.SaveJobBlobResponse;
import io.grpc.Channel;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Calls of the services for blobs. Failures are exceptions of gRPC. */
record BlobCalls(Channel channel) {
    Blob upload(String workspace, String mediaType, byte[]... pieces) {
        return upload(
                workspace,
                UploadBlobRequest.newBuilder().setMediaType(mediaType).build(),
                pieces);
    }

    Blob upload(String workspace, UploadBlobRequest first, byte[]... pieces) {
        Answer<UploadBlobResponse> answer = new Answer<>();
        StreamObserver<UploadBlobRequest> requests =
                BlobServiceGrpc.newStub(channel).uploadBlob(answer);
        requests.onNext(first.toBuilder().setWorkspace(workspace).build());
        for (byte[] piece : pieces) {
            requests.onNext(UploadBlobRequest.newBuilder()
                    .setWorkspace(workspace)
                    .setData(ByteString.copyFrom(piece))
                    .build());
        }
        requests.onCompleted();
        return answer.await().getBlob();
    }

    Blob get(String workspace, String blob) {
        return stub().getBlob(GetBlobRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setBlobId(blob)
                        .build())
                .getBlob();
    }

    ListBlobsResponse list(String workspace, int pageSize, String pageToken) {
        return stub().listBlobs(ListBlobsRequest.newBuilder()
                .setWorkspace(workspace)
                .setPageSize(pageSize)
                .setPageToken(pageToken)
                .build());
    }

    Blob delete(String workspace, String blob) {
        return stub().deleteBlob(DeleteBlobRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setBlobId(blob)
                        .build())
                .getBlob();
    }

    private BlobServiceGrpc.BlobServiceBlockingStub stub() {
        return BlobServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    /** Begins to save a blob for a job; whoever calls this ends the requests. */
    StreamObserver<SaveJobBlobRequest> beginToSave(Lease lease, Answer<SaveJobBlobResponse> answer, byte[] bytes) {
        StreamObserver<SaveJobBlobRequest> requests =
                JobBlobServiceGrpc.newStub(channel).saveJobBlob(answer);
        requests.onNext(SaveJobBlobRequest.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setMediaType("text/plain")
                .setData(ByteString.copyFrom(bytes))
                .build());
        return requests;
    }

    Blob save(Lease lease, byte[] bytes) {
        Answer<SaveJobBlobResponse> answer = new Answer<>();
        beginToSave(lease, answer, bytes).onCompleted();
        return answer.await().getBlob();
    }

    byte[] load(Lease lease, String blob) {
        return bytes(
                JobBlobServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(60, TimeUnit.SECONDS)
                        .loadJobBlob(LoadJobBlobRequest.newBuilder()
                                .setJobId(lease.getJobId())
                                .setLeaseToken(lease.getLeaseToken())
                                .setBlobId(blob)
                                .build()),
                LoadJobBlobResponse::getPart);
    }

    byte[] download(String workspace, String blob, long offset, long length) {
        return bytes(
                stub().downloadBlob(DownloadBlobRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setBlobId(blob)
                        .setOffset(offset)
                        .setLength(length)
                        .build()),
                DownloadBlobResponse::getPart);
    }

    byte[] downloadOfRun(String run, String blob) {
        return bytes(
                stub().downloadRunBlob(DownloadRunBlobRequest.newBuilder()
                        .setRunId(run)
                        .setBlobId(blob)
                        .build()),
                DownloadRunBlobResponse::getPart);
    }

    private static <A> byte[] bytes(Iterator<A> answers, Function<A, BlobPart> part) {
        List<ByteString> data = new ArrayList<>();
        answers.forEachRemaining(answer -> data.add(part.apply(answer).getData()));
        return ByteString.copyFrom(data).toByteArray();
    }

    /** The answer to a stream of requests. */
    static final class Answer<A> implements StreamObserver<A> {
        private final CompletableFuture<A> answer = new CompletableFuture<>();

        A await() {
            try {
                return answer.orTimeout(60, TimeUnit.SECONDS).join();
            } catch (CompletionException failure) {
                throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
            }
        }

        @Override
        public void onNext(A value) {
            answer.complete(value);
        }

        @Override
        public void onError(Throwable failure) {
            answer.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {}
    }
}
