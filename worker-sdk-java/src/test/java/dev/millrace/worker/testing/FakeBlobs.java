package dev.millrace.worker.testing;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import dev.millrace.proto.blob.v1.Blob;
import dev.millrace.proto.blob.v1.BlobPart;
import dev.millrace.proto.worker.v1.JobBlobServiceGrpc;
import dev.millrace.proto.worker.v1.LoadJobBlobRequest;
import dev.millrace.proto.worker.v1.LoadJobBlobResponse;
import dev.millrace.proto.worker.v1.SaveJobBlobRequest;
import dev.millrace.proto.worker.v1.SaveJobBlobResponse;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps the blobs of jobs in memory, and loses connections when the test says so. */
public final class FakeBlobs extends JobBlobServiceGrpc.JobBlobServiceImplBase {
    private static final String SHA_256 = "ab".repeat(32);

    private final Map<String, ByteString> kept = new ConcurrentHashMap<>();
    private final AtomicInteger lost = new AtomicInteger();
    private volatile boolean isFull;

    /** Lets the next transfers fail, as if the connection broke. */
    public void lose(int transfers) {
        lost.set(transfers);
    }

    /** Lets the workspace have no room for further blobs. */
    public void fill() {
        isFull = true;
    }

    /** Fails the call if the test says so. */
    private boolean isLost(StreamObserver<?> responses) {
        if (isFull) {
            responses.onError(StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                    .setCode(Code.RESOURCE_EXHAUSTED_VALUE)
                    .setMessage("There is no room.")
                    .addDetails(Any.pack(
                            ErrorInfo.newBuilder().setReason("QUOTA_EXCEEDED").build()))
                    .build()));
            return true;
        }
        boolean isLost = lost.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        if (isLost) {
            responses.onError(Status.UNAVAILABLE.asRuntimeException());
        }
        return isLost;
    }

    @Override
    public StreamObserver<SaveJobBlobRequest> saveJobBlob(StreamObserver<SaveJobBlobResponse> responses) {
        List<SaveJobBlobRequest> parts = new ArrayList<>();
        return new StreamObserver<>() {
            @Override
            public void onNext(SaveJobBlobRequest part) {
                parts.add(part);
            }

            @Override
            public void onError(Throwable canceled) {
                parts.clear();
            }

            @Override
            public void onCompleted() {
                if (isLost(responses)) {
                    return;
                }
                String id = UUID.randomUUID().toString();
                ByteString data = ByteString.copyFrom(
                        parts.stream().map(SaveJobBlobRequest::getData).toList());
                kept.put(id, data);
                responses.onNext(SaveJobBlobResponse.newBuilder()
                        .setBlob(blob(id, data, parts.get(0).getMediaType()))
                        .build());
                responses.onCompleted();
            }
        };
    }

    private static Blob blob(String id, ByteString data, String mediaType) {
        return Blob.newBuilder()
                .setId(id)
                .setBytes(data.size())
                .setSha256(SHA_256)
                .setMediaType(mediaType)
                .build();
    }

    @Override
    public void loadJobBlob(LoadJobBlobRequest request, StreamObserver<LoadJobBlobResponse> responses) {
        ByteString data = kept.get(request.getBlobId());
        if (data == null) {
            responses.onError(Status.NOT_FOUND
                    .withDescription("There is no blob " + request.getBlobId() + ".")
                    .asRuntimeException());
            return;
        }
        responses.onNext(part(BlobPart.newBuilder().setBlob(blob(request.getBlobId(), data, "a/b"))));
        responses.onNext(part(BlobPart.newBuilder().setData(data.substring(0, data.size() / 2))));
        if (!isLost(responses)) {
            responses.onNext(part(BlobPart.newBuilder().setData(data.substring(data.size() / 2))));
            responses.onCompleted();
        }
    }

    private static LoadJobBlobResponse part(BlobPart.Builder part) {
        return LoadJobBlobResponse.newBuilder().setPart(part).build();
    }
}
