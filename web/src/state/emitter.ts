// Typed event emitter, by which a layer notifies another that it does not know.

export class Emitter<Event> {
  private readonly listeners = new Set<(event: Event) => void>();

  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: Event) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(event: Event): void {
    for (const listener of [...this.listeners]) listener(event);
  }
}
