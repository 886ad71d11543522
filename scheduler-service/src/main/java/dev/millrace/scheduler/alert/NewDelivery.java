package dev.millrace.scheduler.alert;

import java.util.UUID;

/** A message to be sent about an event. */
record NewDelivery(UUID eventId, String type, String event) {}
