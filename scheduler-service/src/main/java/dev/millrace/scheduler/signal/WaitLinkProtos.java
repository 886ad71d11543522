package dev.millrace.scheduler.signal;

import dev.millrace.proto.signal.v1.CreateWaitLinksRequest;
import dev.millrace.proto.signal.v1.WaitLink;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.rpc.RequestFields;
import java.util.List;

/** Signs links of waits as a request asks. */
public final class WaitLinkProtos {
    private WaitLinkProtos() {}

    /**
     * Signs a link for each actor of a request.
     *
     * @param by whoever signs, who must be one of the people of the links or may act as others
     */
    public static List<WaitLink> signed(Waits waits, CreateWaitLinksRequest request, Access by) {
        return waits
                .links()
                .create(
                        RequestFields.run(request.getWorkspace(), request.getRunId()),
                        request.getStep(),
                        SignalRequestProtos.actors(request, by),
                        SignalRequestProtos.validFor(request))
                .stream()
                .map(WaitProtos::link)
                .toList();
    }
}
