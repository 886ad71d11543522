/** Parts shared by all resources: endpoints, requests, answers, event streams and the guards in front of them. */
@NullMarked
package dev.millrace.gateway.http;

import org.jspecify.annotations.NullMarked;
