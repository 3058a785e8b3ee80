/** An expected refusal: said to the model or the user as it stands. */
export interface Refusal {
  refused: string;
}
