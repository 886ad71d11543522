package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.LeaseReceiver.ResultAck;
import java.util.List;

/** Hears what became of results, once that is durable. Calls come from the thread that drives the lane and must return at once. */
public interface ResultListener {
    void acknowledge(List<ResultAck> acks);
}
